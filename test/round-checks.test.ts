import { expect, it, vi } from 'vitest'
import { builtinChecks } from '../checks/index.ts'
import { directorySource } from '../src/cluster/directory.ts'
import type { PartialSettings } from '../src/config/index.ts'
import { type Check, defineCheck } from '../src/framework/check.ts'
import { aCheck, async, never } from './framework/a-check.ts'
import { collectedFrom } from './support/collected.ts'
import { aDetector } from './support/detector.ts'
import { patience } from './support/patience.ts'
import { aVCenter } from './support/vcenter.ts'
import { gist } from './support/world.ts'

/** A detector of a cluster with one node on one vCenter; closed when the test ends. */
async function ofOneNode(
  vcenter: Parameters<typeof collectedFrom>[0]['vcenter'],
  checks: readonly Check[],
  flags: PartialSettings = {},
) {
  const detector = await aDetector(await directorySource(collectedFrom({ vcenter })), checks, flags)
  return {
    detector,
    run: (...ids: string[]) => detector.run(new Set(ids), ['once']),
  }
}

it('counts the calls that checks make among those of the round', async () => {
  const calling = defineCheck({
    id: 'calling',
    title: 'It answers',
    help: 'Help.',
    scope: 'vcenter',
    severity: 'error',
    needs: { rest: true },
    async *run({ vcenter }) {
      for (let left = 5; left > 0; left -= 1) {
        const seen = await vcenter.rest.get('/api/vcenter/datacenter')
        if (!Array.isArray(seen)) yield { reason: 'Odd', message: 'It is no list.' }
      }
    },
  })
  const vcenter = await aVCenter()
  const { detector, run } = await ofOneNode(vcenter, [calling])
  const { report } = await run('calling')
  expect(report.results.map(gist)).toEqual(['vcenter/127.0.0.1 pass'])
  expect(report.vcenters).toMatchObject([{ requests: vcenter.requests.length }])
  expect(await detector.metrics.page()).toMatch(
    new RegExp(`vcenter_requests_total\\{vcenter="127\\.0\\.0\\.1"\\} ${vcenter.requests.length}\\b`),
  )
})

it('runs what a check depends on with it, so that a round of some checks does not contradict itself', async () => {
  const vcenter = await aVCenter()
  const { run } = await ofOneNode(vcenter, builtinChecks)
  const up = await run(...builtinChecks.map(({ id }) => id))
  const of = ({ report }: typeof up, check: string) => report.results.filter((result) => result.check === check)
  expect(of(up, 'vcenter-connection').map(gist)).toEqual(['vcenter/127.0.0.1 pass'])

  await vcenter.close()
  const down = await run('vm-hardware-version')
  expect(down.report.vcenters).toMatchObject([{ reachable: false }])
  expect(of(down, 'vcenter-connection').map(gist)).toEqual(['vcenter/127.0.0.1 fail VCenterUnreachable'])
  expect(of(down, 'vm-hardware-version')).toMatchObject([
    { outcome: 'skip', skippedBecause: 'Waits for vcenter-connection on vcenter/127.0.0.1, which is failing.' },
  ])
})

it('takes no longer than a round may take, although checks never end', async () => {
  const endless = ['a', 'b', 'c'].map((id) =>
    aCheck(
      id,
      async(() => never),
    ),
  )
  const timeouts = { callSeconds: 2, vcenterSeconds: 2, roundSeconds: 2, checkSeconds: 2 }
  const { run } = await ofOneNode(await aVCenter(), endless, { timeouts })
  const { report } = await run('a', 'b', 'c')
  expect(report.results.map(({ unknowns }) => unknowns)).toEqual(
    Array(3).fill(["The round's time was up before the check had ended."]),
  )
})

it('can be stopped while a check never ends', async () => {
  let hasBegun = false
  const endless = aCheck('endless', () => {
    hasBegun = true
    return async(() => never)(undefined)
  })
  const { detector, run } = await ofOneNode(await aVCenter(), [endless], { timeouts: { checkSeconds: 300 } })
  const round = run('endless')
  await vi.waitFor(() => expect(hasBegun).toBe(true), patience)
  detector.abort()
  await expect(round).rejects.toThrow('The detector is stopping.')
})
