import { z } from 'zod'
import { findByPath } from './inventory.ts'
import { moRef } from './selection.ts'
import type { VCenter } from './vcenter.ts'
import { managedObjectNotFound } from './vim-fault.ts'
import type { Method } from './vim-methods.ts'
import { bare, choice, data, int, type Json, type Reference, text } from './vim-value.ts'
import { privilegesOf } from './world.ts'

/** Methods that tell something of many objects at once. */
export const entityMethods: Readonly<Record<string, Method>> = {
  'AuthorizationManager.FetchUserPrivilegeOnEntities': (body, { vcenter }) => {
    const { entities } = z.object({ entities: z.array(moRef), userName: z.string() }).parse(body)
    const granted = grantedIn(vcenter)
    const all = privilegesOf(vcenter.world)
    return entities.map((entity) => {
      assertThere(entity, vcenter)
      const privileges = granted.get(entity.id) ?? all
      return { _typeName: 'UserPrivilegeResult', entity: bare(entity), privileges: [...privileges] }
    })
  },
  'PerformanceManager.QueryPerf': (body, { vcenter }) => {
    const { querySpec } = z.object({ querySpec: z.array(z.object({ entity: moRef })) }).parse(body)
    return querySpec.flatMap(({ entity }) => {
      assertThere(entity, vcenter)
      return latencyOf(entity, vcenter)
    })
  },
}

const counterKey = 133

/** The only counter that the simulator keeps. */
export const latencyCounter = data('PerfCounterInfo', {
  key: int(counterKey),
  nameInfo: description('maxTotalLatency'),
  groupInfo: description('disk'),
  unitInfo: description('millisecond'),
  rollupType: choice('PerfSummaryType', 'latest'),
  statsType: choice('PerfStatsType', 'absolute'),
})

function description(key: string) {
  return data('ElementDescription', { label: text(key), summary: text(key), key: text(key) })
}

function latencyOf(entity: Reference, { inventory }: VCenter): readonly Json[] {
  const vm = inventory.byId.get(entity.id)?.placedVm?.vm
  if (vm === undefined || vm.template || (vm.powerState ?? 'poweredOn') !== 'poweredOn') return []
  const id = { _typeName: 'PerfMetricId', counterId: counterKey, instance: '' }
  const series = { _typeName: 'PerfMetricIntSeries', id, value: [...(vm.diskLatencyMs ?? [1])] }
  return [{ _typeName: 'PerfEntityMetric', entity: bare(entity), value: [series] }]
}

function grantedIn({ world, inventory }: VCenter): ReadonlyMap<string, readonly string[]> {
  const entries = Object.entries(world.granted ?? {})
  return new Map(
    entries.flatMap(([path, privileges]) => {
      const entity = path === '/' ? inventory.root : findByPath(inventory, path)
      return entity ? [[entity.ref.id, privileges] as const] : []
    }),
  )
}

function assertThere(entity: Reference, { inventory }: VCenter): void {
  if (inventory.byId.get(entity.id)?.ref.type !== entity.type) throw managedObjectNotFound(entity)
}
