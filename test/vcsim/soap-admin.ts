import type { VCenterProcess } from './vcenter-process.ts'

/** Looks at and ends the sessions of a simulator through its own SOAP API, beside the client under test. */
export interface SoapAdmin {
  /** Sends the element of a method and gives the answer's text. */
  call(body: string): Promise<string>
  /** Keys of all sessions but its own. */
  sessions(): Promise<readonly string[]>
  expire(): Promise<void>
  /** BIOS UUIDs by name. */
  vms(): Promise<Readonly<Record<string, string>>>
}

export async function soapAdmin(vcenter: VCenterProcess, user: string, password: string): Promise<SoapAdmin> {
  let cookie = ''
  const call = async (body: string) => {
    const answer = await vcenter.call('POST', '/sdk', envelope(body), {
      'content-type': 'text/xml; charset="utf-8"',
      'soapaction': '"urn:vim25/6.5"',
      cookie,
    })
    if (answer.status !== 200) throw new Error(`SOAP answered ${answer.status}: ${answer.body.slice(0, 200)}`)
    const [set] = [answer.headers['set-cookie']].flat()
    if (typeof set === 'string') cookie = set.replace(/;.*/, '')
    return answer.body
  }
  const manager = '<_this type="SessionManager">SessionManager</_this>'
  const login = await call(
    `<Login xmlns="urn:vim25">${manager}<userName>${user}</userName><password>${password}</password></Login>`,
  )
  const own = /<key>([^<]*)<\/key>/.exec(login)?.[1]
  const list = retrieve('SessionManager', ['sessionList'], '<obj type="SessionManager">SessionManager</obj>')
  const sessions = async () =>
    [...(await call(list)).matchAll(/<key>([^<]*)<\/key>/g)].map(([, key]) => key ?? '').filter((key) => key !== own)
  return {
    call,
    sessions,
    vms: async () => {
      const folder =
        '<container type="Folder">group-d1</container><type>VirtualMachine</type><recursive>true</recursive>'
      const view = await call(
        `<CreateContainerView xmlns="urn:vim25"><_this type="ViewManager">ViewManager</_this>${folder}</CreateContainerView>`,
      )
      const id = /<returnval type="ContainerView">([^<]*)</.exec(view)?.[1]
      const traversal = '<selectSet xsi:type="TraversalSpec"><type>ContainerView</type><path>view</path></selectSet>'
      const object = `<obj type="ContainerView">${id}</obj><skip>true</skip>${traversal}`
      const answer = await call(retrieve('VirtualMachine', ['config.uuid', 'name'], object))
      const value = (object: string, path: string) =>
        new RegExp(`<name>${path}</name><val[^>]*>([^<]*)<`).exec(object)?.[1] ?? ''
      const objects = answer.split('<objects').slice(1)
      return Object.fromEntries(objects.map((object) => [value(object, 'name'), value(object, 'config\\.uuid')]))
    },
    expire: async () => {
      const keys = (await sessions()).map((key) => `<sessionId>${key}</sessionId>`).join('')
      if (keys !== '') await call(`<TerminateSession xmlns="urn:vim25">${manager}${keys}</TerminateSession>`)
    },
  }
}

function retrieve(type: string, paths: readonly string[], object: string): string {
  const pathSet = paths.map((path) => `<pathSet>${path}</pathSet>`).join('')
  const specSet = `<propSet><type>${type}</type>${pathSet}</propSet><objectSet>${object}</objectSet>`
  const collector = '<_this type="PropertyCollector">propertyCollector</_this>'
  return `<RetrievePropertiesEx xmlns="urn:vim25">${collector}<specSet>${specSet}</specSet><options/></RetrievePropertiesEx>`
}

function envelope(body: string): string {
  return `<?xml version="1.0"?><Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Body>${body}</Body></Envelope>`
}
