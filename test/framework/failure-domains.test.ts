import { describe, expect, it } from 'vitest'
import { failureDomainsOf } from '../../src/framework/failure-domains.ts'
import { absent, aWorld, unreadable, type WorldSpec } from '../support/world.ts'

const workspace = `[Global]
user = u
password = p
[VirtualCenter "vc-1"]
datacenters = dc-1
[Workspace]
server = vc-1
datacenter = dc-1
default-datastore = fast
folder = /dc-1/vm/cluster
resourcepool-path = /dc-1/host/c/Resources
`

const fromWorkspace = {
  name: '',
  region: '',
  zone: '',
  server: 'vc-1',
  topology: {
    datacenter: 'dc-1',
    datastore: 'fast',
    folder: '/dc-1/vm/cluster',
    resourcePool: '/dc-1/host/c/Resources',
    networks: [],
  },
}

function inForce(spec: WorldSpec) {
  const { kube, cloudConfig } = aWorld(spec)
  return failureDomainsOf(kube.infrastructure, cloudConfig)
}

describe('the failure domains in force', () => {
  it.each<{ what: string; spec: WorldSpec; servers: readonly string[] }>([
    {
      what: 'those of Infrastructure',
      spec: { failureDomains: { east: 'vc-1', west: 'vc-2' } },
      servers: ['vc-1', 'vc-2'],
    },
    {
      what: 'those of Infrastructure, whatever the workspace says',
      spec: { failureDomains: { east: 'vc-2' }, cloudConfig: workspace },
      servers: ['vc-2'],
    },
    { what: 'none of a YAML file', spec: {}, servers: [] },
    { what: 'none without a cloud config', spec: { cloudConfig: absent('There is none.') }, servers: [] },
    {
      what: 'none of a workspace beside two vCenters',
      spec: { cloudConfig: `${workspace}[VirtualCenter "vc-2"]\n` },
      servers: [],
    },
  ])('are $what', ({ spec, servers }) => {
    expect(inForce(spec)).toMatchObject({ state: 'read', value: servers.map((server) => ({ server })) })
  })

  it.each<{ what: string; spec: WorldSpec }>([
    { what: 'an empty vSphere spec', spec: { infrastructure: { vcenters: [] } } },
    { what: 'vCenters but no failure domains', spec: {} },
    { what: 'no Infrastructure object', spec: { infrastructure: absent('There is none.') } },
    { what: 'sections that the strict reader refuses', spec: { cloudConfig: `${workspace}[Nodes]\n` } },
  ])('are one nameless one of the workspace, given $what', ({ spec }) => {
    expect(inForce({ cloudConfig: workspace, ...spec })).toEqual({ state: 'read', value: [fromWorkspace] })
  })

  it.each([unreadable('Forbidden.'), { state: 'broken', why: 'It is no object.' } as const])(
    'are not known while Infrastructure is $state',
    (infrastructure) => {
      expect(inForce({ infrastructure, cloudConfig: workspace })).toEqual(infrastructure)
    },
  )
})
