import { type RequestOptions, request } from 'node:https'
import type { SimulatedVCenter, SimulatedWorld } from '../../src/simulator/index.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** The body as JSON, or undefined where there is none. */
  readonly json: unknown
}

export interface Ask {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One verified HTTPS request on a connection of its own. */
export function ask(vcenter: Target, method: string, path: string, { token, body, headers }: Ask = {}): Promise<Reply> {
  const { host, port, ca, name } = vcenter
  const options: RequestOptions = {
    method,
    host,
    port,
    path,
    servername: name,
    agent: false,
    headers: { ...(token !== undefined && { 'vmware-api-session-id': token }), ...headers },
    ...(ca !== undefined && { ca }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = response.headers['content-type'] === 'application/json' && text !== ''
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

export type Target = Pick<SimulatedVCenter, 'host' | 'port' | 'name'> & { readonly ca?: string }

export const vim = '/sdk/vim25/8.0.1.0'

export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

/** A session of the REST API. */
export async function logIn(vcenter: Target, user = 'svc@vsphere.local', password = 'secret'): Promise<string> {
  const reply = await ask(vcenter, 'POST', '/api/session', { headers: basic(user, password) })
  if (reply.status !== 201 || typeof reply.json !== 'string') throw new Error(`Login answered ${reply.status}`)
  return reply.json
}

/** Calls a method of VI JSON on `Type/moId`. */
export function callVim(vcenter: Target, token: string | undefined, target: string, body?: unknown): Promise<Reply> {
  return ask(vcenter, 'POST', `${vim}/${target}`, { token, body })
}

export const retrieve = (vcenter: Target, token: string, body: unknown): Promise<Reply> =>
  callVim(vcenter, token, 'PropertyCollector/propertyCollector/RetrievePropertiesEx', body)

export const ref = (type: string, value: string) => ({ _typeName: 'ManagedObjectReference', type, value })

export const uuid = (n: number): string => `422e4956-ad22-1139-6d72-${String(n).padStart(12, '0')}`

/** Two datacenters, each with a cluster of two hosts and two VMs. */
export const world: SimulatedWorld = {
  name: 'vc.example.test',
  datacenters: ['east', 'west'].map((name, index) => ({
    name,
    clusters: [
      {
        name: `${name}-cluster`,
        hosts: [{ name: `${name}-esx-1` }, { name: `${name}-esx-2`, version: '7.0.3', apiVersion: '7.0.3.0' }],
        vms: [
          { name: `${name}-node-1`, uuid: uuid(10 * index + 1), host: `${name}-esx-1` },
          { name: `${name}-node-2`, uuid: uuid(10 * index + 2), host: `${name}-esx-2`, hardwareVersion: 'vmx-13' },
        ],
      },
    ],
  })),
}
