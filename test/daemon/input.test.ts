import { afterEach, describe, expect, it, vi } from 'vitest'
import { openSource } from '../../src/app.ts'
import type { ClusterSource } from '../../src/cluster/source.ts'
import { watchInput } from '../../src/daemon/input-watch.ts'
import { ApiServer } from '../cluster/support/api-server.ts'
import { aKubeconfig } from '../cluster/support/kubernetes.ts'
import { node } from '../cluster/support/objects.ts'
import { collectedFrom } from '../support/collected.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected } from './support.ts'

/** A source whose changes the test makes. */
function watched(source: ClusterSource) {
  let tell: (what: string) => void = () => {}
  let trouble: (problem: string) => void = () => {}
  let signal: AbortSignal | undefined
  return {
    source: {
      ...source,
      watch(onChange: (what: string) => void, until: AbortSignal, onProblem: (problem: string) => void) {
        tell = onChange
        trouble = onProblem
        signal = until
      },
    },
    change: (what: string) => tell(what),
    trouble: (problem: string) => trouble(problem),
    isEnded: () => signal?.aborted,
  }
}

it('a change of the cluster starts a round, which says what changed', async () => {
  const vcenter = await aVCenter()
  const { source, change, isEnded } = watched(await collected(collectedFrom({ vcenter })))
  const { daemon, rounds, logged, metric } = await aDaemon({ source })
  await rounds(1)
  change('Secret kube-system/vsphere-creds')
  change('Infrastructure cluster')
  change('Secret kube-system/vsphere-creds')
  await rounds(2)
  expect(logged('The cluster changed')).toMatchObject([
    { what: ['Secret kube-system/vsphere-creds', 'Infrastructure cluster'] },
  ])
  expect(await metric('rounds_total{trigger="input-changed"}')).toBe(1)
  expect(isEnded()).toBe(false)
  await daemon.stop()
  expect(isEnded()).toBe(true)
})

it('a line in the log says that changes may not be noticed, and why', async () => {
  const vcenter = await aVCenter()
  const { source, trouble } = watched(await collected(collectedFrom({ vcenter })))
  const { rounds, logged } = await aDaemon({ source })
  await rounds(1)
  trouble('Not permitted to watch nodes.')
  const [line] = logged('A change of the cluster may be noticed late, or only by the next round')
  expect(line).toMatchObject({ level: 'warn', problem: 'Not permitted to watch nodes.' })
})

describe('a live cluster that could not be read starts a round as soon as it can be', () => {
  it.each<[string, (server: ApiServer) => unknown, (server: ApiServer) => unknown, string]>([
    [
      'when the API server is back',
      ({ detours }) => detours.push({ path: '/apis/config.openshift.io/v1', status: 500 }),
      () => {},
      'the API server answers again',
    ],
    [
      'when the right that is missing has been granted',
      ({ forbidden }) => forbidden.add('list nodes'),
      ({ forbidden }) => forbidden.clear(),
      'the API server answers for nodes now',
    ],
  ])('%s', async (_, disturb, repair, what) => {
    const server = (await new ApiServer().start()).put(node('n1'))
    const source = await openSource({ kubernetes: { kubeconfig: aKubeconfig(server) } }, {})
    disturb(server)
    const { rounds, logged } = await aDaemon({ source, kind: 'kubernetes' })
    await rounds(1)
    repair(server)
    await rounds(2)
    expect(logged('The cluster changed')).toMatchObject([{ what: [what] }])
  })
})

describe('changes', () => {
  afterEach(() => vi.useRealTimers())

  function watching() {
    vi.useFakeTimers()
    const nothing: ClusterSource = { description: '', read: async () => Promise.reject(), close: async () => {} }
    const { source, change } = watched(nothing)
    const seen: (readonly string[])[] = []
    const stop = new AbortController()
    watchInput(
      source,
      1500,
      stop.signal,
      (what) => void seen.push(what),
      () => {},
    )
    return { change, seen, stop }
  }

  it('of one breath are told together', () => {
    const { change, seen } = watching()
    change('a')
    vi.advanceTimersByTime(1499)
    change('b')
    expect(seen).toEqual([])
    vi.advanceTimersByTime(1)
    expect(seen).toEqual([['a', 'b']])
  })

  it('that never end do not put it off', () => {
    const { change, seen } = watching()
    for (let second = 0; second < 6; second++) {
      change(`at ${second}`)
      vi.advanceTimersByTime(1000)
    }
    expect(seen).toEqual([
      ['at 0', 'at 1'],
      ['at 2', 'at 3'],
      ['at 4', 'at 5'],
    ])
  })

  it('are not told after the end', () => {
    const { change, seen, stop } = watching()
    change('a')
    stop.abort()
    change('b')
    vi.advanceTimersByTime(5000)
    expect(seen).toEqual([])
  })
})
