import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import type { ClusterSource } from '../../src/cluster/source.ts'
import type { Round } from '../../src/round.ts'
import { aDetector } from '../support/detector.ts'
import { ApiServer } from './support/api-server.ts'
import { sourceOf } from './support/kubernetes.ts'
import { infrastructure, node } from './support/objects.ts'

/** One round of all checks. */
async function roundOf(source: ClusterSource): Promise<Round> {
  const detector = await aDetector(source, builtinChecks)
  return detector.run(new Set(builtinChecks.map(({ id }) => id)), ['once'])
}

const resultsOf = ({ report }: Round, id: string) => report.results.filter(({ check }) => check === id)

describe('a round', () => {
  it('on a cluster of another platform skips everything and says why', async () => {
    const aws = infrastructure([], { spec: {}, status: { platformStatus: { type: 'AWS' } } })
    const server = (await new ApiServer().start()).put(aws, node('n1', { providerID: 'aws:///eu-1a/i-1' }))
    const { report, worthRetrying } = await roundOf(await sourceOf(server))
    expect(report.summary).toMatchObject({ outcome: 'skip', skip: report.results.length })
    const reasons = new Set(report.results.map(({ skippedBecause }) => skippedBecause))
    expect([...reasons]).toEqual([expect.stringMatching(/^The cluster runs on AWS, .* no vCenter to check\./)])
    expect(worthRetrying).toBe(false)
  })

  it('fails over a cloud config that Infrastructure names and that is not there', async () => {
    const server = (await new ApiServer().start()).put(infrastructure([]), node('n1'))
    const [result] = resultsOf(await roundOf(await sourceOf(server)), 'cloud-config-format')
    expect(result).toMatchObject({
      outcome: 'fail',
      findings: [
        {
          reason: 'CloudConfigBroken',
          message: expect.stringContaining(
            'There is no ConfigMap openshift-config/cloud-provider-config in the cluster',
          ),
          remedy: expect.stringMatching(
            /^Create ConfigMap .* or correct spec\.cloudConfig of Infrastructure\/cluster\.$/,
          ),
        },
      ],
    })
  })

  it('says where it looked for vCenters and what to set, where there are none', async () => {
    const server = (await new ApiServer().start()).put(node('n1'))
    expect(resultsOf(await roundOf(await sourceOf(server)), 'vcenter-connection')).toMatchObject([
      {
        outcome: 'unknown',
        unknowns: [
          'No vCenter is known. There is no ConfigMap kube-system/vsphere-cloud-config or kube-system/cloud-config in the cluster. If the cloud config is elsewhere, name its place in source.kubernetes.cloudConfig.',
        ],
      },
    ])
  })
})

describe('a round is worth repeating soon', () => {
  it.each<[string, (server: ApiServer) => unknown, boolean]>([
    ['not where everything could be read', () => {}, false],
    ['not where rights are missing', ({ forbidden }) => forbidden.add('list nodes'), false],
    ['where our credentials were refused', ({ tokens }) => tokens.clear(), true],
    ['where the API server fails', ({ detours }) => detours.push({ path: '/api/v1/nodes', status: 500 }), true],
    ['where the API server is away', (server) => server.close(), true],
  ])('%s', async (_, disturb, expected) => {
    const server = (await new ApiServer().start()).put(node('n1'))
    const source = await sourceOf(server)
    disturb(server)
    expect((await roundOf(source)).worthRetrying).toBe(expected)
  })

  it('where the source could not even be opened', async () => {
    const gone: ClusterSource = {
      description: 'a folder',
      read: () => Promise.reject(new Error('It is gone.')),
      close: async () => {},
    }
    expect((await roundOf(gone)).worthRetrying).toBe(true)
  })
})
