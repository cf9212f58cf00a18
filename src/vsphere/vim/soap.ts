import type { Credentials } from '../client.ts'
import { VSphereError } from '../errors.ts'
import { assertLoginTaken } from '../login-refusal.ts'
import { assertAvailable, type HttpAnswer, type HttpCall, type HttpTransport } from '../transport/http.ts'
import { plainFault, SessionEnded, toError, VimFault } from './faults.ts'
import type { CallOptions, MoRef, Parameters, ServiceContent, UserSession, Vim } from './model.ts'
import { isFields, Malformed, serviceContentOf, userSessionOf } from './shape.ts'
import { fromXml, toXml } from './soap-values.ts'
import { child, localName, parseXml, type XmlElement } from './xml.ts'

/** Old enough for every server, and it has all we ask for. */
const action = '"urn:vim25/6.5"'
const cookieName = 'vmware_soap_session'
const serviceInstance: MoRef = { type: 'ServiceInstance', value: 'ServiceInstance' }

/** The SOAP API, which every vCenter has. Needs no session. */
export async function probeSoap(transport: HttpTransport, { signal }: CallOptions): Promise<Vim> {
  const how = { signal, retry: true }
  const content = await new SoapCalls(transport).call(serviceInstance, 'RetrieveServiceContent', {}, how)
  return new SoapVim(transport, serviceContentOf(content))
}

class SoapVim implements Vim {
  readonly protocol = 'soap'
  readonly content: ServiceContent
  readonly #calls: SoapCalls

  constructor(transport: HttpTransport, content: ServiceContent) {
    this.#calls = new SoapCalls(transport)
    this.content = content
  }

  invoke(self: MoRef, method: string, parameters: Parameters, call: CallOptions): Promise<unknown> {
    return this.#calls.call(self, method, parameters, { ...call, retry: true })
  }

  async login({ user, password }: Credentials, { signal }: CallOptions): Promise<UserSession> {
    const parameters = { userName: user, password, locale: 'en' }
    const how = { signal, retry: false, urgent: true }
    const session = await this.#calls.call(this.content.sessionManager, 'Login', parameters, how)
    if (!this.#calls.hasSession) throw new Malformed('a login without a session cookie')
    return userSessionOf(session)
  }

  /** Servers that share sessions with REST have VI JSON, and are not spoken to in SOAP. */
  async adopt(): Promise<undefined> {
    return undefined
  }

  async logout({ signal }: CallOptions): Promise<void> {
    if (!this.#calls.hasSession) return
    await this.#calls.call(this.content.sessionManager, 'Logout', {}, { signal, retry: true, urgent: true })
    this.#calls.forgetSession()
  }
}

class SoapCalls {
  readonly #transport: HttpTransport
  #cookie: string | undefined

  constructor(transport: HttpTransport) {
    this.#transport = transport
  }

  get hasSession(): boolean {
    return this.#cookie !== undefined
  }

  forgetSession(): void {
    this.#cookie = undefined
  }

  async call(
    self: MoRef,
    method: string,
    parameters: Parameters,
    how: Pick<HttpCall, 'signal' | 'retry' | 'urgent' | 'timeoutMs'>,
  ) {
    const answer = await this.#transport.send({
      ...how,
      method: 'POST',
      path: '/sdk',
      headers: {
        'content-type': 'text/xml; charset="utf-8"',
        'soapaction': action,
        ...(this.#cookie !== undefined && { cookie: this.#cookie }),
      },
      body: envelope(self, method, parameters),
    })
    if (method === 'Login') {
      assertLoginTaken(answer, this.#transport.endpoint.name)
      this.#keepCookie(answer)
    }
    return resultOf(answer, method, this.#transport)
  }

  #keepCookie({ headers }: HttpAnswer): void {
    const cookies = [headers['set-cookie']].flat().filter((cookie) => typeof cookie === 'string')
    const cookie = cookies.find((candidate) => candidate.startsWith(`${cookieName}=`))?.replace(/;.*/s, '')
    if (cookie === undefined) return
    this.#cookie = cookie
    this.#transport.redactor.add(cookie.slice(cookieName.length + 1).replaceAll('"', ''))
  }
}

function envelope({ type, value }: MoRef, method: string, parameters: Parameters): string {
  const self = toXml('_this', { _typeName: 'ManagedObjectReference', type, value })
  const fields = Object.entries(parameters).map(([name, field]) => toXml(name, field))
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>' +
    `<${method} xmlns="urn:vim25">${self}${fields.join('')}</${method}>` +
    '</soapenv:Body></soapenv:Envelope>'
  )
}

function resultOf(answer: HttpAnswer, method: string, transport: HttpTransport): unknown {
  const { name } = transport.endpoint
  const { status, body } = answer
  assertAvailable(answer, name)
  if (status === 401) throw new SessionEnded(`${method} needs a session`)
  if (status === 403) {
    throw new VSphereError('no-permission', name, `vCenter ${name} does not permit ${method} (HTTP 403).`)
  }
  if (status === 404) {
    throw new VSphereError(
      'unsupported-version',
      name,
      `vCenter ${name} has neither VI JSON nor SOAP: is it a vCenter?`,
    )
  }
  const contents = bodyOf(answer, method, transport)
  const fault = child(contents, 'Fault')
  if (fault !== undefined) throw faultOf(fault, method, transport)
  const response = child(contents, `${method}Response`)
  if (status !== 200 || response === undefined) {
    throw new Malformed(`HTTP ${status} to ${method} with ${transport.redactor.excerpt(body)}`)
  }
  const values = response.children.filter((element) => element.name === 'returnval').map(fromXml)
  return values.length > 1 ? values : values[0]
}

function bodyOf({ status, body }: HttpAnswer, method: string, { redactor }: HttpTransport): XmlElement | undefined {
  try {
    return child(parseXml(body), 'Body')
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new Malformed(`HTTP ${status} to ${method} with ${redactor.excerpt(body)}`)
  }
}

function faultOf(fault: XmlElement, method: string, { redactor }: HttpTransport): Error {
  const said = redactor.clean(child(fault, 'faultstring')?.text ?? '')
  const [detail] = child(fault, 'detail')?.children ?? []
  if (detail === undefined) return new Malformed(`a fault without detail to ${method}: ${redactor.excerpt(said)}`)
  const value = fromXml(detail)
  const fields = isFields(value) ? value : {}
  const declared = fields['_typeName']
  const type = typeof declared === 'string' ? plainFault(declared) : localName(detail.name).replace(/Fault$/, '')
  return toError(new VimFault(method, type, said, fields))
}
