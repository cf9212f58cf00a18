import { inject } from 'vitest'
import type { Connection } from '../../src/framework/context.ts'
import { startSimulator } from '../../src/simulator/index.ts'
import type { Credentials, Endpoint } from '../../src/vsphere/index.ts'
import type { Program } from './setup.ts'
import { soapAdmin } from './soap-admin.ts'
import { startProcess } from './vcenter-process.ts'

/** One vCenter that the contract is tried on. */
export interface Target {
  readonly name: string
  readonly protocol: NonNullable<Connection['protocol']>
  /** Why it cannot be started here. */
  readonly missing: string | undefined
  /** How many sessions a client needs that reads and makes REST calls. */
  readonly sessionsNeeded: number
  start(): Promise<Started>
}

export interface Started {
  readonly endpoint: Endpoint
  /** BIOS UUIDs by name. */
  readonly vms: Readonly<Record<string, string>>
  /** Sessions now open, beside those it started with. */
  sessions(): Promise<number>
  expireSessions(): Promise<void>
  stop(): Promise<void>
}

export const credentials: Credentials = { user: 'vpd', password: 'a&b<c>"d' }

export const nobody = '00000000-0000-4000-8000-000000000000'

export const targets: readonly Target[] = [
  {
    name: 'the embedded simulator',
    protocol: 'vi-json',
    missing: undefined,
    sessionsNeeded: 1,
    start: startEmbedded,
  },
  vcsimJson('vcsim-json', 'vi-json', 1),
  vcsimJson('vcsim-json with pages of 7', 'vi-json', 1, '-page-cap', '7'),
  vcsimJson('vcsim-json with pages of 1', 'vi-json', 1, '-page-cap', '1'),
  vcsimJson('vcsim-json that does not share sessions', 'vi-json', 2, '-split-sessions'),
  vcsimJson('vcsim-json as 8.0 U1', 'vi-json', 2, '-split-sessions', '-api-version', '8.0.1.0'),
  vcsimJson('vcsim-json without VI JSON', 'soap', 1, '-releases', '7.0.3.0'),
  external('plain vcsim', 'soap', 1, inject('plainVcsim'), false, []),
]

async function startEmbedded(): Promise<Started> {
  const names = ['DC0_H0_VM0', 'DC0_H0_VM1', 'DC0_C0_RP0_VM0', 'DC0_C0_RP0_VM1']
  const vms = names.map((name, n) => ({
    name,
    uuid: `4230aaaa-0000-4000-8000-00000000000${n}`,
    hardwareVersion: 'vmx-13',
  }))
  const simulator = await startSimulator({
    name: 'vc.example.com',
    accounts: [credentials],
    datacenters: [
      {
        name: 'DC0',
        clusters: [
          {
            name: 'DC0_C0',
            hosts: ['DC0_C0_H0', 'DC0_C0_H1', 'DC0_C0_H2'].map((name) => ({ name })),
            vms,
          },
        ],
      },
    ],
  })
  const { host, port, ca } = simulator
  return {
    endpoint: { name: simulator.name, port: 443, insecure: false, ca, connectTo: { host, port } },
    vms: Object.fromEntries(vms.map(({ name, uuid }) => [name, uuid])),
    sessions: async () => simulator.sessions.length,
    expireSessions: async () => simulator.expireSessions(),
    stop: () => simulator.close(),
  }
}

function vcsimJson(
  name: string,
  protocol: Target['protocol'],
  sessionsNeeded: number,
  ...args: readonly string[]
): Target {
  return external(name, protocol, sessionsNeeded, inject('vcsimJson'), true, args)
}

export function external(
  name: string,
  protocol: Target['protocol'],
  sessionsNeeded: number,
  program: Program,
  writesCa: boolean,
  args: readonly string[],
): Target {
  return {
    name,
    protocol,
    missing: 'missing' in program ? program.missing : undefined,
    sessionsNeeded,
    start: async () => {
      if ('missing' in program) throw new Error(program.missing)
      const account = ['-username', credentials.user, '-password', credentials.password]
      const process = await startProcess(program.path, [...account, ...args], writesCa)
      const admin = await soapAdmin(
        process,
        credentials.user,
        credentials.password.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      )
      const atStart = new Set(await admin.sessions())
      return {
        endpoint: {
          name: '127.0.0.1',
          port: process.port,
          insecure: !writesCa,
          ...(process.ca !== undefined && { ca: process.ca }),
        },
        vms: await admin.vms(),
        sessions: async () => (await admin.sessions()).filter((key) => !atStart.has(key)).length,
        expireSessions: admin.expire,
        stop: process.stop,
      }
    },
  }
}
