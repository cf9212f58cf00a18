import { onTestFinished } from 'vitest'
import {
  type SimulatedVCenter,
  type SimulatedVm,
  type SimulatedWorld,
  startSimulator,
} from '../../src/simulator/index.ts'
import { uuid } from './collected.ts'

export const account = { user: 'detector@vsphere.local', password: 'right-and-secret' }

/** A simulated vCenter with one node's VM, closed when the test ends. Say what matters to the test. */
export async function aVCenter(
  world: Partial<SimulatedWorld> & { readonly vm?: Partial<SimulatedVm> } = {},
): Promise<SimulatedVCenter> {
  const { vm, ...rest } = world
  const vms = [{ name: 'worker-0', uuid, hardwareVersion: 'vmx-19', ...vm }]
  const vcenter = await startSimulator({
    name: 'vc.example',
    accounts: [account],
    datacenters: [{ name: 'dc', clusters: [{ name: 'cluster', hosts: [{ name: 'esxi' }], vms }] }],
    ...rest,
  })
  onTestFinished(() => vcenter.close())
  return vcenter
}
