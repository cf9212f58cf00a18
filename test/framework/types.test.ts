import { describe, expectTypeOf, it } from 'vitest'
import {
  type Account,
  type CloudConfig,
  type Connection,
  defineCheck,
  type FailureDomain,
  gauge,
  type KubeNode,
  type Latency,
  type Located,
  type Placement,
  type RecentTask,
  type Ref,
  type RestSession,
  type StoragePolicy,
  type Tag,
  type VCenter,
} from '../../src/framework/check.ts'

const rest = { id: 'an-id', title: 'A title', help: 'Some help.', severity: 'warning' } as const

// Nothing here runs: that it compiles, each `@ts-expect-error` included, is the test.
describe('a check is given', () => {
  it('the properties it asked for, and no others', () => {
    defineCheck({
      ...rest,
      scope: 'node',
      needs: { host: ['name'], vm: ['runtime.host', 'config.template', 'config.version'] },
      run({ vm, vcenter }) {
        expectTypeOf(vm['config.version']).toEqualTypeOf<string>()
        expectTypeOf(vm['config.template']).toEqualTypeOf<boolean | undefined>()
        expectTypeOf(vm['runtime.host']).toEqualTypeOf<Ref<'host'> | undefined>()
        if (vm['runtime.host']) expectTypeOf(vcenter.get(vm['runtime.host']).name).toEqualTypeOf<string>()
        // @ts-expect-error the name is not among the needs
        vm.name
        // @ts-expect-error nothing of clusters was asked for
        vcenter.all('cluster')
        return []
      },
    })
  })

  it('no property that vSphere does not have', () => {
    defineCheck({
      ...rest,
      scope: 'node',
      // @ts-expect-error the property is called `config.version`
      needs: { vm: ['config.hardwareVersion'] },
      run: () => [],
    })
    defineCheck({
      ...rest,
      scope: 'node',
      // @ts-expect-error Kubernetes has more, but we do not read it
      needs: { kube: ['pods'] },
      run: () => [],
    })
  })

  it('the subject of its scope', () => {
    defineCheck({
      ...rest,
      scope: 'vcenter',
      needs: { connection: true },
      run(context) {
        expectTypeOf(context.name).toEqualTypeOf<string>()
        expectTypeOf(context.connection).toEqualTypeOf<Connection>()
        // @ts-expect-error a vCenter has no node
        context.node
        // @ts-expect-error a vCenter that may be unreachable cannot be looked into
        context.vcenter
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'failureDomain',
      needs: { cluster: ['name'] },
      run({ failureDomain, knownVCenters, vcenter }) {
        expectTypeOf(failureDomain).toEqualTypeOf<FailureDomain>()
        expectTypeOf(knownVCenters).toEqualTypeOf<readonly string[]>()
        expectTypeOf(vcenter).toExtend<VCenter<{ readonly cluster: readonly ['name'] }>>()
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'node',
      needs: { placement: true },
      run(context) {
        expectTypeOf(context.node).toEqualTypeOf<KubeNode>()
        expectTypeOf(context.placement).toEqualTypeOf<Placement>()
        // @ts-expect-error no property of VMs was asked for
        context.vm
        return []
      },
    })
  })

  it('Kubernetes objects and the cloud config only if it asked', () => {
    defineCheck({
      ...rest,
      scope: 'cluster',
      needs: { kube: ['nodes'], cloudConfig: true },
      run({ kube, cloudConfig }) {
        expectTypeOf(kube.nodes).toEqualTypeOf<readonly KubeNode[]>()
        expectTypeOf(cloudConfig).toEqualTypeOf<CloudConfig>()
        // @ts-expect-error Infrastructure was not asked for
        kube.infrastructure
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'cluster',
      needs: {},
      run({ cloudConfig }) {
        expectTypeOf(cloudConfig).toEqualTypeOf<undefined>()
        return []
      },
    })
  })

  it('the live session only if it asked', () => {
    defineCheck({
      ...rest,
      scope: 'vcenter',
      needs: { rest: true },
      run({ vcenter }) {
        expectTypeOf(vcenter.rest).toEqualTypeOf<RestSession>()
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'vcenter',
      needs: { host: ['name'] },
      run({ vcenter }) {
        expectTypeOf(vcenter.rest).toEqualTypeOf<undefined>()
        return []
      },
    })
  })

  it('what is no property, like a property', () => {
    defineCheck({
      ...rest,
      scope: 'node',
      needs: { vm: ['$tags', '$latency'], cluster: ['name', '$privileges'] },
      run({ vm, vcenter }) {
        expectTypeOf(vm.$tags).toEqualTypeOf<readonly Tag[]>()
        expectTypeOf(vm.$latency).toEqualTypeOf<Latency | undefined>()
        expectTypeOf(vcenter.all('cluster')[0]?.$privileges).toEqualTypeOf<ReadonlySet<string> | undefined>()
        expectTypeOf(vcenter.account).toEqualTypeOf<Account>()
        // @ts-expect-error privileges on VMs were not asked for
        vm.$privileges
        expectTypeOf(vcenter.policies).toEqualTypeOf<undefined>()
        expectTypeOf(vcenter.tasks).toEqualTypeOf<undefined>()
        expectTypeOf(vcenter.find).toEqualTypeOf<undefined>()
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'node',
      // @ts-expect-error hosts have no latency of their own here
      needs: { host: ['$latency'] },
      run: () => [],
    })
  })

  it('what belongs to a vCenter as a whole, only if it asked', () => {
    defineCheck({
      ...rest,
      scope: 'vcenter',
      needs: { policies: true, tasks: true },
      run({ vcenter }) {
        expectTypeOf(vcenter.policies).toEqualTypeOf<readonly StoragePolicy[]>()
        expectTypeOf(vcenter.tasks).toEqualTypeOf<readonly RecentTask[]>()
        expectTypeOf(vcenter.account).toEqualTypeOf<undefined>()
        return []
      },
    })
    defineCheck({
      ...rest,
      scope: 'failureDomain',
      needs: { cluster: ['name'], paths: ({ topology }) => [topology.computeCluster] },
      run({ failureDomain, vcenter }) {
        const found = vcenter.find(failureDomain.topology.computeCluster ?? '')
        expectTypeOf(found).toEqualTypeOf<Located | undefined>()
        if (found?.kind === 'cluster') expectTypeOf(vcenter.get(found).name).toEqualTypeOf<string>()
        // @ts-expect-error it may be something else
        if (found) vcenter.get(found)
        return []
      },
    })
  })

  it('its options, as wide as a user may set them', () => {
    defineCheck({
      ...rest,
      scope: 'cluster',
      needs: {},
      options: { minimum: 15, mode: 'x', strict: false, names: ['a'] },
      run({ options }) {
        expectTypeOf(options.minimum).toEqualTypeOf<number>()
        expectTypeOf(options.mode).toEqualTypeOf<string>()
        expectTypeOf(options.strict).toEqualTypeOf<boolean>()
        expectTypeOf(options.names).toEqualTypeOf<readonly string[]>()
        // @ts-expect-error options cannot be changed
        options.minimum = 3
        return []
      },
    })
  })

  it('no chance to yield what is no observation', () => {
    defineCheck({
      ...rest,
      scope: 'cluster',
      needs: {},
      // @ts-expect-error a finding has a `message`
      *run() {
        yield { description: 'The lamp is out.' }
      },
    })
    const lamps = gauge('lamps', { help: 'Lamps that are lit.', labels: ['room'] })
    lamps({ room: 'kitchen' })
    // @ts-expect-error it has no such label
    lamps({ floor: 'first' })
  })
})
