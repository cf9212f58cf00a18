import { describe, expect, it } from 'vitest'
import { vcenterConnection } from '../checks/vcenter-connection.ts'
import { directorySource } from '../src/cluster/directory.ts'
import { type Collected, collectedFrom } from './support/collected.ts'
import { aDetector } from './support/detector.ts'
import { aVCenter } from './support/vcenter.ts'

/** One round of vcenter-connection on manifests, and whether it is worth another soon. */
async function roundOf(collected: Collected) {
  const detector = await aDetector(await directorySource(collectedFrom(collected)), [vcenterConnection])
  const { report, worthRetrying } = await detector.run(new Set([vcenterConnection.id]), ['once'])
  return { result: report.results[0], worthRetrying }
}

describe('a server that is written with more than its name', () => {
  it.each([
    ['its port', (address: string) => address],
    ['its scheme', (address: string) => `https://${address}`],
    ['all of the URL', (address: string) => `https://${address}/sdk`],
  ])('%s is called, and goes by what is written', async (_, written) => {
    const vcenter = await aVCenter()
    const server = written(`${vcenter.host}:${vcenter.port}`)
    const { result } = await roundOf({ vcenter, server, port: 443 })
    expect(result).toMatchObject({ subject: { kind: 'vcenter', name: server }, outcome: 'pass', findings: [] })
  })

  it('is called with the login that stands under its plain name', async () => {
    const vcenter = await aVCenter()
    const server = `https://${vcenter.host}:${vcenter.port}/sdk`
    const { result } = await roundOf({ vcenter, server, loginOf: vcenter.host })
    expect(result).toMatchObject({ subject: { name: server }, outcome: 'pass', findings: [] })
  })

  it('and has no login is told which one to add, and where', async () => {
    const vcenter = await aVCenter()
    const { result } = await roundOf({ vcenter, server: `${vcenter.host}:${vcenter.port}`, credentials: false })
    expect(result?.findings).toMatchObject([
      {
        reason: 'NoCredentials',
        remedy: 'Add 127.0.0.1.username and 127.0.0.1.password to Secret kube-system/vsphere-creds.',
      },
    ])
  })

  it('and leads nowhere is told so without a login, too', async () => {
    const { result } = await roundOf({ vcenter: await aVCenter(), server: 'vc example', credentials: false })
    expect(result?.findings).toMatchObject([{ reason: 'MalformedAddress' }])
  })

  it('and leads nowhere is not called again before somebody corrects it', async () => {
    const vcenter = await aVCenter()
    expect(await roundOf({ vcenter, server: `http://${vcenter.host}` })).toMatchObject({
      result: {
        outcome: 'fail',
        findings: [
          {
            reason: 'MalformedAddress',
            message:
              'The server "http://127.0.0.1" is neither a host name nor an IP address, so nothing can be called there.',
            remedy:
              'Write the host name or the IP address of the vCenter, without anything before or after it, in Infrastructure/cluster and ConfigMap openshift-config/cloud-provider-config, key config.',
          },
        ],
      },
      worthRetrying: false,
    })
    expect(vcenter.requests).toEqual([])
  })
})

it.each([
  ['the secret', {}, 'Secret kube-system/vsphere-creds'],
  [
    'the cloud config',
    { credentials: false, inline: true },
    'ConfigMap openshift-config/cloud-provider-config, key config',
  ],
])('a rejected login is to be corrected where it was found: in %s', async (_, more, place) => {
  const vcenter = await aVCenter()
  const { result } = await roundOf({ vcenter, password: 'wrong', ...more })
  expect(result?.findings).toMatchObject([
    {
      reason: 'LoginRejected',
      remedy: `Correct the user name and password for 127.0.0.1 in ${place}; check that the account is not locked.`,
    },
  ])
})
