import { describe, expect, it } from 'vitest'
import { datacenterConsistency } from '../../checks/datacenter-consistency.ts'
import { failureDomainVcenters } from '../../checks/failure-domain-vcenters.ts'
import { infraCloudConfig } from '../../checks/infra-cloud-config.ts'
import { nodeVcenterMapping } from '../../checks/node-vcenter-mapping.ts'
import { vcenterConnection } from '../../checks/vcenter-connection.ts'
import { vcenterInUse } from '../../checks/vcenter-in-use.ts'
import { vmHardwareVersion } from '../../checks/vm-hardware-version.ts'
import { absent, aWorld, down, gist, labelled, run, unreadable, type WorldSpec } from '../support/world.ts'

const coreChecks = [
  failureDomainVcenters,
  infraCloudConfig,
  nodeVcenterMapping,
  vcenterConnection,
  vcenterInUse,
  vmHardwareVersion,
]

/** All of them on one world, in a few words per result. */
async function everything(spec: WorldSpec): Promise<readonly string[]> {
  const runs = await run(coreChecks, aWorld(spec))
  return runs.flatMap(({ check, results }) => results.map((result) => `${check} ${gist(result)}`))
}

const healthy: WorldSpec = {
  vcenters: { 'vc-1': { vms: [{ name: 'n1' }] }, 'vc-2': { vms: [{ name: 'n2' }] } },
  failureDomains: { east: 'vc-1', west: 'vc-2' },
  nodes: [
    { name: 'n1', labels: labelled('east') },
    { name: 'n2', labels: labelled('west') },
  ],
}

describe('the core checks together', () => {
  it('pass on a healthy cluster', async () => {
    expect(await everything(healthy)).toEqual([
      'failure-domain-vcenters failureDomain/east pass',
      'failure-domain-vcenters failureDomain/west pass',
      'infra-cloud-config cluster/cluster pass',
      'node-vcenter-mapping node/n1 pass',
      'node-vcenter-mapping node/n2 pass',
      'vcenter-connection vcenter/vc-1 pass',
      'vcenter-connection vcenter/vc-2 pass',
      'vcenter-in-use vcenter/vc-1 pass',
      'vcenter-in-use vcenter/vc-2 pass',
      'vm-hardware-version node/n1 pass',
      'vm-hardware-version node/n2 pass',
    ])
  })

  it('make one failure of one vCenter that is down, and check the other in full', async () => {
    const vcenters = { 'vc-1': { vms: [{ 'name': 'n1', 'config.version': 'vmx-13' }] }, 'vc-2': down() }
    const runs = await run(coreChecks, aWorld({ ...healthy, vcenters }))
    const news = runs.flatMap(({ results }) => results).filter(({ outcome }) => outcome !== 'pass')

    expect(news.map((result) => `${result.check} ${gist(result)}`)).toEqual([
      'node-vcenter-mapping node/n2 unknown',
      'vcenter-connection vcenter/vc-2 fail VCenterUnreachable',
      'vm-hardware-version node/n1 fail HardwareVersionTooOld',
      'vm-hardware-version node/n2 skip',
    ])
    expect(news.at(-1)).toMatchObject({
      skippedBecause: 'Waits for vcenter-connection on vcenter/vc-2, which is failing.',
    })
  })

  it('report a failure domain with an unknown server once, and the nodes in it as unknown', async () => {
    const nodes = [
      { name: 'n1', labels: labelled('east') },
      { name: 'n3', labels: labelled('south') },
    ]
    const world = await everything({ ...healthy, nodes, failureDomains: { ...healthy.failureDomains, south: 'vc-9' } })

    expect(world.filter((line) => !line.endsWith('pass'))).toEqual([
      'failure-domain-vcenters failureDomain/south fail UnknownVCenter',
      'node-vcenter-mapping node/n3 unknown',
      'vm-hardware-version node/n3 skip',
    ])
  })

  it('skip what is about failure domains where there are none', async () => {
    const checks = [datacenterConsistency, failureDomainVcenters, vcenterInUse]
    const runs = await run(checks, aWorld({ vcenters: { 'vc-1': {} } }))
    expect(runs.flatMap(({ results }) => results)).toMatchObject(
      checks.map(({ id }) => ({
        check: id,
        outcome: 'skip',
        skippedBecause: 'The Infrastructure object has no failure domains.',
      })),
    )
  })

  it('skip what only OpenShift has on plain Kubernetes', async () => {
    const infrastructure = absent('There is no Infrastructure object.')
    expect(await everything({ ...healthy, infrastructure })).toEqual([
      'failure-domain-vcenters cluster/cluster skip',
      'infra-cloud-config cluster/cluster skip',
      'node-vcenter-mapping node/n1 pass',
      'node-vcenter-mapping node/n2 pass',
      'vcenter-connection vcenter/vc-1 pass',
      'vcenter-connection vcenter/vc-2 pass',
      'vcenter-in-use vcenter/vc-1 skip',
      'vcenter-in-use vcenter/vc-2 skip',
      'vm-hardware-version node/n1 pass',
      'vm-hardware-version node/n2 pass',
    ])
  })

  it('pass nothing, and fail nothing, where nothing may be read', async () => {
    const nothing = unreadable('Forbidden.')
    const lines = await everything({ vcenters: {}, nodes: nothing, infrastructure: nothing, cloudConfig: nothing })

    expect(lines).toEqual([
      'failure-domain-vcenters cluster/cluster unknown',
      'infra-cloud-config cluster/cluster unknown',
      'node-vcenter-mapping cluster/cluster unknown',
      'vcenter-connection cluster/cluster unknown',
      'vcenter-in-use cluster/cluster unknown',
      'vm-hardware-version cluster/cluster skip',
    ])
  })
})
