import { describe, expect, it } from 'vitest'
import { vcenterConnection } from '../checks/vcenter-connection.ts'
import { readCloudConfig } from '../src/cloud-config/index.ts'
import type { ClusterReading } from '../src/cluster/source.ts'
import type { Result } from '../src/framework/result.ts'
import { aDetector } from './support/detector.ts'
import { aFolder } from './support/files.ts'
import { account, aVCenter } from './support/vcenter.ts'

/** What vcenter-connection says after one round on what the source could read. */
async function connectionOf(reading: Partial<ClusterReading>, port: number): Promise<Result | undefined> {
  const unreadable = { state: 'unreadable', why: 'Forbidden.' } as const
  const source = {
    description: 'a cluster',
    read: async (): Promise<ClusterReading> => ({
      kube: {
        nodes: unreadable,
        infrastructure: {
          state: 'read',
          value: { vcenters: [{ server: '127.0.0.1', port, datacenters: [] }], failureDomains: [] },
        },
      },
      cloudConfig: { state: 'absent', why: 'None.' },
      credentials: new Map(),
      endpoints: new Map(),
      notes: [],
      ...reading,
    }),
    close: async () => {},
  }
  const detector = await aDetector(source, [vcenterConnection])
  return (await detector.run(new Set([vcenterConnection.id]), ['once'])).report.results[0]
}

const forbidden = { state: 'unreadable', why: 'Not permitted to get it.' } as const
const credentials = new Map([['127.0.0.1', account]])

it('says that credentials are missing where there is no secret', async () => {
  const { port } = await aVCenter()
  const result = await connectionOf({ credentialSecrets: [] }, port)
  expect(result).toMatchObject({ outcome: 'fail', findings: [{ reason: 'NoCredentials' }] })
})

it('does not call credentials missing that it may not read, and calls nobody', async () => {
  const vcenter = await aVCenter()
  const credentialSecrets = [{ place: 'kube-system/vsphere-creds', data: forbidden }]
  expect(await connectionOf({ credentialSecrets }, vcenter.port)).toMatchObject({
    outcome: 'unknown',
    findings: [],
    unknowns: ['The credentials of 127.0.0.1 could not be read: Not permitted to get it.'],
  })
  expect(vcenter.requests).toEqual([])
})

describe('a CA file that the cloud config names', () => {
  const named = (port: number, caFile: string, more = ''): Partial<ClusterReading> => ({
    credentials,
    cloudConfig: {
      state: 'read',
      value: readCloudConfig(
        `global: {secretName: s, secretNamespace: n}\nvcenter: {a: {server: 127.0.0.1, port: ${port}, caFile: ${caFile}${more}}}`,
      ),
    },
  })

  it('is named where it cannot be read here and the certificate is not trusted', async () => {
    const { port } = await aVCenter()
    const folder = aFolder({})
    for (const [caFile, why] of [
      [`${folder}/none.pem`, 'there is no such file'],
      [folder, 'it is a folder'],
    ] as const) {
      const result = await connectionOf(named(port, caFile), port)
      expect(result?.findings.map(({ message }) => message)).toEqual([
        expect.stringContaining(
          `; the CA file ${caFile}, which the cloud config names, cannot be read where this check runs (${why}): ` +
            'put it there, or name a file with that authority in vsphere.caFile of the settings.',
        ),
      ])
    }
  })

  it('is no trouble where the certificate is trusted without it', async () => {
    const { port, thumbprint } = await aVCenter()
    const result = await connectionOf(named(port, '/no/such.pem', `, thumbprint: '${thumbprint}'`), port)
    expect(result).toMatchObject({ outcome: 'pass', findings: [] })
  })
})

it('fails over a certificate that nobody vouches for, but not where it may not read who would', async () => {
  const { port } = await aVCenter()
  expect(await connectionOf({ credentials, isLive: true }, port)).toMatchObject({ outcome: 'fail' })
  const blind = await connectionOf({ credentials, cloudConfig: forbidden }, port)
  expect(blind).toMatchObject({ outcome: 'unknown', findings: [] })
  expect(blind?.unknowns[0]).toMatch(/How to connect to it could not be read: Not permitted to get it\.$/)
})

it.each([
  {
    cloudConfig: { state: 'absent', why: 'There is no ConfigMap c in the folder.' },
    known: 'is not known: the cloud config was not collected. There is no ConfigMap c in the folder.',
  },
  {
    cloudConfig: { state: 'broken', why: 'ConfigMap c has no key config.' },
    known: 'is not known: ConfigMap c has no key config.',
  },
] as const)('does not fail over it where files have a cloud config that is $cloudConfig.state', async (row) => {
  const { port } = await aVCenter()
  const { cloudConfig, known } = row
  const result = await connectionOf({ credentials, cloudConfig }, port)
  expect(result).toMatchObject({ outcome: 'unknown', findings: [] })
  expect(result?.unknowns[0]?.endsWith(` How to connect to it ${known}`)).toBe(true)
  expect(await connectionOf({ credentials, cloudConfig, isLive: true }, port)).toMatchObject({ outcome: 'fail' })
})
