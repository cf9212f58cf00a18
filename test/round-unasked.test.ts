import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../checks/index.ts'
import { directorySource } from '../src/cluster/directory.ts'
import { type Check, defineCheck } from '../src/framework/check.ts'
import { fine } from './framework/a-check.ts'
import { collectedFrom } from './support/collected.ts'
import { aDetector } from './support/detector.ts'
import { aVCenter } from './support/vcenter.ts'
import { gist } from './support/world.ts'

/** A detector of a cluster with one node on one vCenter, and how often that is called; closed when the test ends. */
async function ofOneNode(checks: readonly Check[] = builtinChecks) {
  const vcenter = await aVCenter()
  const detector = await aDetector(await directorySource(collectedFrom({ vcenter })), checks)
  return {
    vcenter,
    calls: () => vcenter.requests.length,
    run: (...ids: string[]) => detector.run(new Set(ids), ['once']),
    async up() {
      return (await detector.metrics.page()).split('\n').filter((line) => /_vcenter_(up|info)\{/.test(line))
    },
    async total() {
      return /vcenter_requests_total\{[^}]*\} (\d+)/.exec(await detector.metrics.page())?.[1]
    },
  }
}

const never = {
  name: '127.0.0.1',
  reachable: false,
  requests: 0,
  error: 'Not looked at: no check that ran needs a vCenter.',
  lastAsked: 'never',
}

describe('a round of checks that need no vCenter', () => {
  it.each([['infra-cloud-config'], ['cloud-config-format'], ['vcenter-in-use'], ['failure-domain-vcenters']])(
    '%s calls none, and does not say that it is up or down',
    async (id) => {
      const { run, calls, up } = await ofOneNode()
      const { report, worthRetrying } = await run(id)
      expect(report.results.map(({ outcome }) => outcome)).toEqual(['pass'])
      expect(report.vcenters).toEqual([never])
      expect(worthRetrying).toBe(false)
      expect(await up()).toEqual([])
      expect(calls()).toBe(0)
    },
  )

  it.each([
    ['one that is about the connection', 'vcenter-connection'],
    ['one that depends on such a one', 'vm-hardware-version'],
    ['one that is about nodes, whose vCenter is told', 'on-nodes'],
  ])('is not %s', async (_, id) => {
    const { run, calls } = await ofOneNode([...builtinChecks, fine('on-nodes', { scope: 'node', needs: {} })])
    const { report } = await run(id)
    expect(report.vcenters).toMatchObject([{ reachable: true }])
    expect(report.vcenters[0]).not.toHaveProperty('lastAsked')
    expect(calls()).toBeGreaterThan(0)
  })

  it('keeps what the last round saw of a vCenter, and counts no call twice', async () => {
    const { run, calls, up, total } = await ofOneNode()
    const first = await run(...builtinChecks.map(({ id }) => id))
    const [before, metrics, counted] = [calls(), await up(), await total()]
    expect(metrics).toHaveLength(2)

    const [seen] = first.report.vcenters
    for (const { report } of [await run('infra-cloud-config'), await run('vcenter-count')]) {
      expect(report.vcenters).toEqual([{ ...seen, requests: 0, lastAsked: first.report.startedAt }])
      expect(report.results.map(gist)).toEqual(first.report.results.map(gist))
    }
    expect(await up()).toEqual(metrics)
    expect(await total()).toBe(counted)
    expect(calls()).toBe(before)

    const again = await run('vcenter-connection')
    expect(again.report.vcenters[0]).not.toHaveProperty('lastAsked')
  })

  it('goes on to say that a vCenter is down, which is still worth another try', async () => {
    const { run, vcenter, up } = await ofOneNode()
    await vcenter.close()
    const down = await run('vcenter-connection')
    expect(down.worthRetrying).toBe(true)
    const later = await run('infra-cloud-config')
    expect(later.worthRetrying).toBe(true)
    expect(later.report.vcenters).toMatchObject([{ reachable: false, error: down.report.vcenters[0]?.error }])
    expect(await up()).toEqual([expect.stringMatching(/_vcenter_up\{vcenter="127\.0\.0\.1"\} 0/)])
  })

  it('is unknown for a check that looks for vCenters and has not said so, rather than fine', async () => {
    const versions = defineCheck({
      id: 'versions',
      title: 'They are new',
      help: 'Help.',
      scope: 'cluster',
      severity: 'error',
      needs: {},
      *run({ vcenters }) {
        for (const { apiVersion } of vcenters) if (apiVersion < '8') yield { reason: 'Old', message: apiVersion }
      },
    })
    const { run } = await ofOneNode([versions, ...builtinChecks])
    const blind = await run('versions')
    expect(blind.report.results.map(({ outcome, unknowns }) => [outcome, unknowns])).toEqual([
      [
        'unknown',
        [
          '127.0.0.1 could not be read: Not looked at: no check that ran needs a vCenter. A check that looks at vCenters says so, with needs: { connection: true } at least.',
        ],
      ],
    ])
    await run('vcenter-connection')
    const seen = await run('versions')
    expect(seen.report.results.map(gist)).toContain('cluster/cluster pass')
  })
})
