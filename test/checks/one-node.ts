import { aWorld, type NodeSpec, type WorldSpec } from '../support/world.ts'

/** Node n1, its VM in this vCenter of two, and the failure domains east in vc-1 and west in vc-2. */
export function nodeIn(vcenter: 'vc-1' | 'vc-2', node: Partial<NodeSpec> = {}, more: WorldSpec = {}) {
  return aWorld({
    vcenters: { 'vc-1': {}, 'vc-2': {}, [vcenter]: { vms: [{ name: 'n1' }] } },
    failureDomains: { east: 'vc-1', west: 'vc-2' },
    nodes: [{ name: 'n1', ...node }],
    ...more,
  })
}

/** Node n1 in a cluster of one vCenter, which holds its VM. */
export function alone(spec: WorldSpec, labels: NodeSpec['labels'] = {}) {
  return aWorld({ vcenters: { 'vc-1': { vms: [{ name: 'n1' }] } }, nodes: [{ name: 'n1', labels }], ...spec })
}
