import type { Live } from '../login.ts'
import { chunks } from '../read/chunks.ts'
import { refParameter } from '../vim/model.ts'
import { fieldsOf, isFields, listOf, Malformed, moRefOf } from '../vim/shape.ts'
import type { Latency } from './model.ts'
import { propertyOf } from './property.ts'
import { withoutGone } from './without-gone.ts'

/** The hosts of all of these are asked while the call waits. */
const vmsPerCall = 50
const counter = 'disk.maxTotalLatency.latest'
/** Real-time statistics: a sample every 20 seconds, kept for an hour. */
const intervalSeconds = 20
const samplesPerHour = 180

export async function readDiskLatency(
  live: Live,
  vms: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Latency>> {
  const { perfManager } = live.vim.content
  if (perfManager === undefined) throw new Malformed('a service content without a performance manager')
  live.memo.perfCounters ??= counterIds(await propertyOf(live, perfManager, 'perfCounter', signal))
  const counterId = live.memo.perfCounters.get(counter)
  if (counterId === undefined) throw new Malformed(`performance counters without ${counter}`)
  const query = (ids: readonly string[]) =>
    live.vim.invoke(perfManager, 'QueryPerf', { querySpec: ids.map((vm) => querySpec(vm, counterId)) }, { signal })
  const answers = await Promise.all(chunks(vms, vmsPerCall).map((chunk) => withoutGone(chunk, query)))
  return new Map(answers.flatMap(listOf).flatMap((answer) => latencyOf(answer, counterId) ?? []))
}

/** The keys stand in the order of the schema. */
function querySpec(vm: string, counterId: number) {
  return {
    entity: refParameter({ type: 'VirtualMachine', value: vm }),
    maxSample: samplesPerHour,
    metricId: [{ counterId, instance: '' }],
    intervalId: intervalSeconds,
    format: 'normal',
  }
}

function latencyOf(answer: unknown, counterId: number): [readonly [string, Latency]] | undefined {
  const { entity, value } = fieldsOf(answer, 'performance data')
  const series = listOf(value).filter(isFields)
  const ours = series.find(({ id }) => isFields(id) && Number(id['counterId']) === counterId)
  // Negative where the host could not measure.
  const samples = listOf(ours?.['value'])
    .map(Number)
    .filter((sample) => sample >= 0)
  if (samples.length === 0) return undefined
  const averageMs = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  return [
    [moRefOf(entity, 'performance data of an entity').value, { averageMs, samples: samples.length, intervalSeconds }],
  ]
}

/** The numbers differ from vCenter to vCenter. */
function counterIds(list: unknown): ReadonlyMap<string, number> {
  return new Map(
    listOf(list).map((value) => {
      const { key, groupInfo, nameInfo, rollupType } = fieldsOf(value, 'a performance counter')
      const part = (info: unknown) => String(isFields(info) ? info['key'] : undefined)
      return [`${part(groupInfo)}.${part(nameInfo)}.${rollupType}`, Number(key)]
    }),
  )
}
