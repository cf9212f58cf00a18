import { onTestFinished } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import { type SimulatedVCenter, type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import {
  type Credentials,
  createVCenterClient,
  defaultVSphereSettings,
  type Endpoint,
  type Reading,
  type VCenterClient,
  type VSphereError,
  type VSphereSettings,
} from '../../src/vsphere/index.ts'

export const settings: VSphereSettings = { ...defaultVSphereSettings, callTimeoutMs: 5_000, userAgent: 'vpd-test/1' }
export const credentials: Credentials = { user: 'svc@vsphere.local', password: 'p4ss"w<ö>rd' }
export const plan: Plan = {
  vm: new Set(['config.uuid', 'name', 'config.version', 'runtime.host']),
  host: new Set(['name', 'summary.config.product.version']),
  cluster: new Set(['name']),
  datacenter: new Set(['name']),
}

export function uuid(n: number): string {
  return `4230aaaa-bbbb-cccc-dddd-${String(n).padStart(12, '0')}`
}

export function uuids(...numbers: readonly number[]): ReadonlySet<string> {
  return new Set(numbers.map(uuid))
}

/** A vCenter with VMs `vm-0` … and their UUIDs in order. */
export function world(vmCount: number, more: Partial<SimulatedWorld> = {}): SimulatedWorld {
  const vms = Array.from({ length: vmCount }, (_, n) => ({ name: `vm-${n}`, uuid: uuid(n) }))
  const hosts = [{ name: 'esx-1', version: '8.0.2' }, { name: 'esx-2' }]
  const datacenters = [{ name: 'east', clusters: [{ name: 'cluster-1', hosts, vms }] }]
  return { name: 'vc.example.com', accounts: [credentials], datacenters, ...more }
}

export async function simulate(vmCount: number, more: Partial<SimulatedWorld> = {}): Promise<SimulatedVCenter> {
  const simulator = await startSimulator(world(vmCount, more))
  onTestFinished(() => simulator.close())
  return simulator
}

export function endpointOf(simulator: SimulatedVCenter, more: Partial<Endpoint> = {}): Endpoint {
  const { name, host, port, ca } = simulator
  return { name, port: 443, insecure: false, ca, connectTo: { host, port }, ...more }
}

export function client(
  endpoint: Endpoint,
  more: { readonly credentials?: Credentials | undefined; readonly settings?: Partial<VSphereSettings> } = {},
): VCenterClient {
  const who = 'credentials' in more ? more.credentials : credentials
  const made = createVCenterClient(endpoint, who, { ...settings, ...more.settings })
  onTestFinished(() => made.close())
  return made
}

export function never(): AbortSignal {
  return new AbortController().signal
}

/** What the reading saw of VMs: name by managed object id. */
export function vmNames({ inventory }: Reading): readonly string[] {
  return [...(inventory.objects.vm?.values() ?? [])].map((vm) => vm.values.name ?? '?').sort()
}

export async function failure(work: Promise<unknown>): Promise<Pick<VSphereError, 'name' | 'kind' | 'message'>> {
  const error: unknown = await work.then(
    () => undefined,
    (reason) => reason,
  )
  // Every caller asserts on all three, so anything else shows.
  const { name, kind, message } = (error ?? {}) as VSphereError
  return { name, kind, message }
}
