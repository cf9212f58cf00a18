import type { CsiConfig, CsiVCenter } from './csi-model.ts'
import { csiVCenterOf, type Refuse } from './csi-vcenter.ts'
import { splitNames } from './effective.ts'
import { CloudConfigError } from './error.ts'
import { type Bound, type BoundSection, textOf } from './gcfg-bind.ts'
import type { Position } from './model.ts'

/** The values of the driver, checked in its order. Throws a CloudConfigError where the driver refuses them. */
export function csiConfigOf(
  { sections }: Bound,
  at: (...path: string[]) => Position | undefined,
): Omit<CsiConfig, 'warnings'> {
  const refuse: Refuse = (reason, message, ...path) => new CloudConfigError(reason, message, at(...path))
  const only = (section: string): BoundSection | undefined => sections.get(section)?.get('')
  const [global, labels, snapshot] = [only('global'), only('labels'), only('snapshot')]
  const vcenterSections = sections.get('virtualcenter') ?? new Map<string, BoundSection>()
  const topologyCategories = textOf(labels, 'topologyCategories')
  const categories = splitNames(topologyCategories)

  refuseLimits(vcenterSections.size, global, refuse)
  if (vcenterSections.size > 1 && topologyCategories === '')
    throw refuse('topology-required', 'several vCenters need topology-categories in [Labels]', 'labels')
  const vcenters = vcentersOf(vcenterSections, global, refuse)
  if (topologyCategories !== '') refuseTopology(labels, categories.length, refuse)
  return {
    format: 'ini',
    clusterId: textOf(global, 'clusterId'),
    supervisorId: textOf(global, 'supervisorId'),
    clusterDistribution: textOf(global, 'clusterDistribution'),
    vcenters,
    topologyCategories,
    labels: { topologyCategories: categories, zone: textOf(labels, 'zone'), region: textOf(labels, 'region') },
    snapshot: {
      globalMax: numberOf(snapshot, 'globalMax') || 3,
      vsan: numberOf(snapshot, 'vsan'),
      vvol: numberOf(snapshot, 'vvol'),
    },
  }
}

const maxVCenters = 5
const maxCategories = 5
const maxIdLength = 64

function refuseLimits(vcenters: number, global: BoundSection | undefined, refuse: Refuse): void {
  if (vcenters === 0)
    throw refuse('no-vcenters', 'no vCenter is defined; add a [VirtualCenter "vc.example.com"] section')
  for (const [field, key] of [
    ['clusterId', 'cluster-id'],
    ['supervisorId', 'supervisor-id'],
  ] as const)
    if (textOf(global, field).length > maxIdLength)
      throw refuse('cluster-id-too-long', `${key} has more than ${maxIdLength} characters`, 'global', field)
  if (vcenters > maxVCenters)
    throw refuse('too-many-vcenters', `there are ${vcenters} vCenters; the CSI driver takes at most ${maxVCenters}`)
}

function refuseTopology(labels: BoundSection | undefined, categories: number, refuse: Refuse): void {
  const place = ['labels', 'topologyCategories']
  if (textOf(labels, 'zone') !== '' || textOf(labels, 'region') !== '')
    throw refuse('topology-conflict', 'zone and region cannot be set beside topology-categories; remove them', ...place)
  if (categories > maxCategories)
    throw refuse(
      'too-many-topology-categories',
      `topology-categories holds ${categories} names; at most ${maxCategories} are allowed`,
      ...place,
    )
}

function vcentersOf(
  sections: ReadonlyMap<string, BoundSection>,
  global: BoundSection | undefined,
  refuse: Refuse,
): ReadonlyMap<string, CsiVCenter> {
  const vcenters = new Map<string, CsiVCenter>()
  for (const [name, section] of sections) {
    if (name === '')
      throw refuse(
        'vcenter-address-missing',
        'a [VirtualCenter] section has no name; write the address as [VirtualCenter "vc.example.com"]',
        'vcenters',
        name,
      )
    vcenters.set(name, csiVCenterOf(name, section, global, refuse))
  }
  return vcenters
}

const numberOf = (section: BoundSection | undefined, field: string): number =>
  Number(section?.fields.get(field)?.value ?? 0)
