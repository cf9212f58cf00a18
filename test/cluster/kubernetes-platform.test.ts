import { describe, expect, it } from 'vitest'
import { ApiServer } from './support/api-server.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { cloudConfigYaml, configMap, infrastructure, node } from './support/objects.ts'

/** OpenShift that says it runs on a platform, and whose chart permits what it permits there. */
async function on(platform: string, spec: object = {}, ...objects: readonly object[]): Promise<ApiServer> {
  const server = (await new ApiServer().start()).put(
    infrastructure([], { spec, status: { platformStatus: { type: platform } } }),
    ...objects,
  )
  for (const name of ['vsphere-cloud-config', 'cloud-config']) server.forbidden.add(`get configmaps/${name}`)
  return server
}

const elsewhere = node('n1', { providerID: 'aws:///eu-1a/i-1' })
const read = async (server: ApiServer, options = {}) => (await sourceOf(server, options)).read(never)
const asked = (server: ApiServer, what: string) => server.requests.filter((line) => line.includes(`/${what}/`))

describe('OpenShift on another platform', () => {
  const hint = 'If it uses vSphere after all, name its cloud config in source.kubernetes.cloudConfig.'
  it.each<[string, string, object, readonly object[], string]>([
    [
      'AWS',
      'AWS',
      { cloudConfig: { name: '' } },
      [elsewhere],
      `The cluster runs on AWS, as Infrastructure/cluster says, so it has no vCenter to check. ${hint}`,
    ],
    [
      'Azure, with a cloud config of its own',
      'Azure',
      { cloudConfig: { name: 'cloud-provider-config', key: 'config' } },
      [configMap('openshift-config/cloud-provider-config', { config: '{"cloud":"AzurePublicCloud"}' })],
      `The cluster runs on Azure, as Infrastructure/cluster says, so it has no vCenter to check. ${hint}`,
    ],
    [
      'none',
      'None',
      {},
      [node('n1', { providerID: '' })],
      `The cluster runs on no platform that OpenShift manages (None), and nothing in it speaks of vSphere: no node, and no cloud config that could be read. ${hint}`,
    ],
  ])('%s: has nothing to check', async (_, platform, spec, objects, why) => {
    const server = await on(platform, spec, ...objects)
    const { notOnVSphere, cloudConfig } = await read(server)
    expect(notOnVSphere).toBe(why)
    expect(cloudConfig.state).not.toBe('broken')
  })

  it('is not asked for a cloud config', async () => {
    const server = await on('AWS', { cloudConfig: { name: 'aws', key: 'config' } }, elsewhere)
    await read(server)
    expect(asked(server, 'configmaps')).toEqual([])
  })

  it.each<[string, () => Promise<ApiServer>, object]>([
    [
      'an Infrastructure that lists a vCenter',
      () => on('External', { platformSpec: { vsphere: { vcenters: [{ server: 'vc-1' }] } } }),
      {},
    ],
    ['a node with a provider ID of vSphere', () => on('None', {}, node('n1')), {}],
    [
      'a node with the label of vSphere',
      () => on('AWS', {}, node('n1', { providerID: '', labels: { 'node.openshift.io/platform-type': 'vsphere' } })),
      {},
    ],
    [
      'settings that name a cloud config',
      () => on('AWS', {}, elsewhere),
      { places: { cloudConfig: { namespace: 'a', name: 'b' } } },
    ],
    ['vSphere', () => on('VSphere'), {}],
    ['a platform that is not told', () => on(''), {}],
  ])('but for %s: is looked at', async (_, server, options) => {
    expect(await read(await server(), options)).not.toHaveProperty('notOnVSphere')
  })

  it('may have the cloud config of plain Kubernetes where OpenShift does not manage the platform', async () => {
    const server = await on(
      'External',
      {},
      configMap('kube-system/vsphere-cloud-config', { 'vsphere.conf': cloudConfigYaml(['vc-1']) }),
    )
    server.forbidden.clear()
    const { notOnVSphere, cloudConfig } = await read(server)
    expect([notOnVSphere, cloudConfig.state]).toEqual([undefined, 'read'])
  })

  it('whose cloud config may not be read is told what to set, and not to permit what the chart does not', async () => {
    const { cloudConfig } = await read(await on('None', {}, node('n1')))
    expect(cloudConfig).toEqual({
      state: 'unreadable',
      why: 'Not permitted to get configmaps "vsphere-cloud-config" in namespace kube-system. If it is the cloud config, name it in source.kubernetes.cloudConfig.',
    })
  })
})

describe('OpenShift on vSphere', () => {
  it.each<[string, (server: ApiServer) => void, object]>([
    ['whose Infrastructure names no cloud config', () => {}, {}],
    ['whose Infrastructure may not be read', ({ forbidden }) => void forbidden.add('get infrastructures'), {}],
  ])('%s: is not looked at where that of plain Kubernetes is', async (_, prepare) => {
    const server = await on('VSphere')
    prepare(server)
    const { cloudConfig } = await read(server)
    expect(asked(server, 'configmaps')).toEqual([
      'GET /api/v1/namespaces/openshift-config/configmaps/cloud-provider-config',
    ])
    expect(cloudConfig).toEqual({
      state: 'absent',
      why: 'There is no ConfigMap openshift-config/cloud-provider-config in the cluster. If the cloud config is elsewhere, name its place in source.kubernetes.cloudConfig.',
    })
  })
})

describe('a cloud config that is named and not there is a mistake', () => {
  it('of Infrastructure', async () => {
    const server = (await new ApiServer().start()).put(infrastructure())
    expect((await read(server)).cloudConfig).toEqual({
      state: 'broken',
      why: 'There is no ConfigMap openshift-config/cloud-provider-config in the cluster, although spec.cloudConfig of Infrastructure/cluster names it.',
      remedy:
        'Create ConfigMap openshift-config/cloud-provider-config with the cloud config in its key config, or correct spec.cloudConfig of Infrastructure/cluster.',
    })
  })

  it('of the settings', async () => {
    const places = { cloudConfig: { namespace: 'cpi', name: 'settings', key: 'conf' } }
    expect((await read(await new ApiServer().start(), { places })).cloudConfig).toEqual({
      state: 'broken',
      why: 'There is no ConfigMap cpi/settings in the cluster, although the setting source.kubernetes.cloudConfig names it.',
      remedy:
        'Create ConfigMap cpi/settings with the cloud config in its key conf, or correct the setting source.kubernetes.cloudConfig.',
    })
  })
})
