import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { selfSign } from '../../../src/simulator/certificate.ts'
import { ask } from '../../http/client.ts'
import { type Service, startService } from './service.ts'

/** An API server that runs, and how to speak to it. */
export interface ControlPlane {
  readonly url: string
  /** Where etcd is reached, which keeps its objects. */
  readonly storage: string
  /** PEM. */
  readonly ca: string
  readonly tokens: Readonly<Record<Person, string>>
  /** A file with a line of JSON for every request. */
  readonly auditLog: string
}

/** `admin` may do everything; the others what they are given. */
export const people = ['admin', 'vera', 'otto', 'nils'] as const
export type Person = (typeof people)[number]

export interface Programs {
  readonly etcd: string
  readonly apiServer: string
}

export interface Started {
  readonly controlPlane: ControlPlane
  /** The API server goes away, and what it has written stays. */
  stopApiServer(): Promise<void>
  /** It comes back, and answers. */
  startApiServer(): Promise<void>
  stop(): Promise<void>
}

/** Starts an API server of its own; `more` are further arguments for it. */
export async function startControlPlane(programs: Programs, more: readonly string[] = []): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'vpd-kube-'))
  const [client = 0, peer = 0, secure = 0] = await freePorts(3)
  const storage = `http://127.0.0.1:${client}`
  const etcd = startService(programs.etcd, etcdArguments(folder, storage, peer), join(folder, 'etcd.log'))
  const { args, controlPlane } = apiServerArguments(folder, storage, secure)
  let apiServer: Service | undefined
  const started: Started = {
    controlPlane,
    async stopApiServer() {
      await apiServer?.stop()
    },
    async startApiServer() {
      apiServer = startService(programs.apiServer, [...args, ...more], join(folder, 'kube-apiserver.log'))
      await ready(controlPlane, [etcd, apiServer])
    },
    async stop() {
      // The one that uses the other first.
      await apiServer?.stop()
      await etcd.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await started.startApiServer()
    return started
  } catch (error) {
    await started.stop()
    throw error
  }
}

function etcdArguments(folder: string, storage: string, peer: number): readonly string[] {
  const neighbour = `http://127.0.0.1:${peer}`
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${storage}`,
    `--advertise-client-urls=${storage}`,
    `--listen-peer-urls=${neighbour}`,
    `--initial-advertise-peer-urls=${neighbour}`,
    `--initial-cluster=default=${neighbour}`,
  ]
}

function apiServerArguments(folder: string, storage: string, port: number) {
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const dayMs = 86_400_000
  const { certificate, privateKey } = selfSign({
    commonName: 'kube-apiserver',
    names: ['127.0.0.1', 'localhost'],
    validFrom: new Date(Date.now() - dayMs),
    validTo: new Date(Date.now() + dayMs),
  })
  const accounts = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const token = () => randomBytes(24).toString('hex')
  const tokens = { admin: token(), vera: token(), otto: token(), nils: token() }
  const lines = people.map((name) => `${tokens[name]},${name},${name}${name === 'admin' ? ',system:masters' : ''}`)
  const auditLog = join(folder, 'audit.log')
  const args = [
    `--etcd-servers=${storage}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // There is no network behind it in which anybody would look for it.
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--tls-cert-file=${file('tls.crt', certificate)}`,
    `--tls-private-key-file=${file('tls.key', privateKey)}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('accounts.pub', accounts.publicKey)}`,
    `--service-account-signing-key-file=${file('accounts.key', accounts.privateKey)}`,
    `--token-auth-file=${file('tokens.csv', `${lines.join('\n')}\n`)}`,
    '--anonymous-auth=false',
    '--authorization-mode=RBAC',
    `--audit-policy-file=${file('audit-policy.json', JSON.stringify(auditPolicy))}`,
    `--audit-log-path=${auditLog}`,
  ]
  const url = `https://127.0.0.1:${port}`
  const controlPlane: ControlPlane = { url, storage, ca: certificate, tokens, auditLog }
  return { args, controlPlane }
}

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', userGroups: ['system:serviceaccounts'] }, { level: 'None' }],
}

async function ready({ url, ca, tokens }: ControlPlane, services: readonly Service[]): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    for (const service of services) service.throwIfEnded()
    const status = await ask(`${url}/readyz`, { ca, token: tokens.admin }).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() > deadline) throw new Error(`kube-apiserver is not ready after a minute: ${services.at(-1)?.tail()}`)
    await pause(100)
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  // All at once, so that no port is found twice.
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))))
  const ports = servers.map((server) => (server.address() as AddressInfo).port) // a TCP server that listens has one
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
