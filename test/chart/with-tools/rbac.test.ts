import { describe, expect, it } from 'vitest'
import { groupOf } from '../../../src/cluster/manifests.ts'
import { at, hasHelm, type KubeObject, ofKind, rendered, valueSets } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly verbs: readonly string[]
}

interface Grant extends Rule {
  readonly role: string
  /** Absent for the whole cluster. */
  readonly namespace: string | undefined
}

describe.each(valueSets)('with the values %s', (set) => {
  itWithHelm('the daemon gets no more than it uses', () => {
    for (const { namespace, apiGroups = [], resources = [], resourceNames, verbs } of grantsOfDaemon(rendered(set))) {
      for (const resource of resources) {
        const isOwn = resourceNames?.every((name) => name.endsWith('-events'))
        const byName = isOwn ? 'own' : 'named'
        const scope = namespace === undefined ? 'cluster' : resourceNames === undefined ? 'namespace' : byName
        const may = allowed[`${scope} ${resource}`]
        expect(may, `${scope} ${resource}`).toBeDefined()
        expect({ resource, verbs: [...verbs] }).toEqual({ resource, verbs: may })
      }
      expect([...apiGroups, ...resources, ...verbs, ...(resourceNames ?? [])].join()).not.toContain('*')
    }
  })

  itWithHelm('every binding is of the account that the pods run as', () => {
    const objects = rendered(set)
    const account = at(ofKind(objects, 'Deployment')[0], 'spec.template.spec.serviceAccountName')
    const bindings = [...ofKind(objects, 'RoleBinding'), ...ofKind(objects, 'ClusterRoleBinding').filter(isOfDaemon)]
    expect(bindings.length).toBeGreaterThan(1)
    for (const binding of bindings) {
      expect(at(binding, 'subjects')).toEqual([{ kind: 'ServiceAccount', name: account, namespace: 'vpd-system' }])
    }
  })
})

/** What may be done, by where and with what. Secrets and ConfigMaps are never a matter of a whole cluster or namespace. */
const reading = ['get', 'list', 'watch']
const allowed: Readonly<Record<string, readonly string[]>> = {
  'cluster nodes': ['list', 'watch'],
  'cluster persistentvolumes': ['list'],
  'cluster storageclasses': ['list'],
  'cluster csinodes': ['list'],
  'cluster csidrivers': ['get'],
  'cluster infrastructures': reading,
  'cluster featuregates': ['get'],
  'cluster clustercsidrivers': ['get'],
  'cluster machineconfigs': ['list'],
  'cluster tokenreviews': ['create'],
  'cluster subjectaccessreviews': ['create'],
  'named configmaps': reading,
  'named secrets': reading,
  'own configmaps': ['get', 'update'],
  'named leases': ['get', 'update'],
  'namespace leases': ['create'],
  'namespace events': ['create'],
}

itWithHelm('on OpenShift all kinds that the daemon reads may be read, in their API groups', () => {
  const may = new Set(
    grantsOfDaemon(rendered('openshift')).flatMap(({ apiGroups = [], resources = [] }) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`)),
    ),
  )
  const read = Object.entries(groupOf).map(([kind, group]) => `${pluralOf(kind)}.${group}`)
  expect(read.length).toBeGreaterThan(8)
  expect(read.filter((resource) => !may.has(resource))).toEqual([])
})

itWithHelm('on plain Kubernetes nothing of OpenShift is mentioned', () => {
  const grants = grantsOfDaemon(rendered('kubernetes'))
  expect(JSON.stringify(grants)).not.toContain('openshift')
})

const named = (set: string, over: object = {}) =>
  grantsOfDaemon(rendered(set, over))
    .filter(({ resources = [] }) => resources.some((resource) => ['configmaps', 'secrets'].includes(resource)))
    .flatMap(({ namespace, resources = [], resourceNames = [] }) =>
      resourceNames.map((name) => `${resources.join()} ${namespace}/${name}`),
    )
    .sort()

itWithHelm('what the settings name is read instead of what is usual', () => {
  const source = { kubernetes: { cloudConfig: 'a/config/vsphere.conf', credentials: 'b/one' } }
  expect(named('kubernetes', { config: { source }, rbac: { extraSecrets: ['b/two'] } })).toEqual([
    'configmaps a/config',
    'configmaps vpd-system/vpd-vsphere-problem-detector-events',
    'secrets b/one',
    'secrets b/two',
    'secrets vmware-system-csi/vsphere-config-secret',
  ])
})

itWithHelm('the lease and events may be elsewhere', () => {
  const config = { leaderElection: { namespace: 'leases', name: 'mine' }, events: { namespace: 'news' } }
  const grants = grantsOfDaemon(rendered('kubernetes', { config }))
  const placesOf = (resource: string) =>
    grants.filter(({ resources = [] }) => resources.includes(resource)).map(({ namespace }) => namespace)
  expect(placesOf('leases')).toEqual(['leases', 'leases'])
  expect(placesOf('events').sort()).toEqual(['default', 'news'])
  expect(
    grants.flatMap(({ resources = [], resourceNames = [] }) => (resources[0] === 'leases' ? resourceNames : [])),
  ).toEqual(['mine'])
})

itWithHelm('reviews of tokens are asked for only where requests are authenticated', () => {
  const reviews = (auth: string) =>
    grantsOfDaemon(rendered('kubernetes', { config: { http: { auth } } })).filter(({ resources = [] }) =>
      resources.some((resource) => resource.endsWith('reviews')),
    ).length
  expect({ on: reviews('kubernetes'), off: reviews('none') }).toEqual({ on: 2, off: 0 })
})

itWithHelm('events about nodes can be written where Kubernetes wants them', () => {
  const places = grantsOfDaemon(rendered('kubernetes')).filter(({ resources = [] }) => resources.includes('events'))
  expect(places.map(({ namespace }) => namespace).sort()).toEqual(['default', 'vpd-system'])
})

itWithHelm('viewers may read the results, operators may start rounds', () => {
  const objects = rendered('everything')
  const rulesOf = (suffix: string) =>
    ofKind(objects, 'ClusterRole').find(({ metadata }) => metadata.name.endsWith(suffix))
  expect(at(rulesOf('-viewer'), 'rules.0.verbs')).toEqual(['get'])
  expect(at(rulesOf('-viewer'), 'rules.0.nonResourceURLs')).toContain('/metrics')
  expect(at(rulesOf('-operator'), 'rules')).toEqual([{ nonResourceURLs: ['/run'], verbs: ['post'] }])
  const subjects = ofKind(objects, 'ClusterRoleBinding').map((binding) => at(binding, 'subjects.0.name'))
  expect(subjects.sort()).toEqual(['ada', 'support', 'vpd-detector'])
})

itWithHelm('without rbac.create there are neither roles nor bindings', () => {
  const objects = rendered('everything', { rbac: { create: false } })
  expect(objects.filter(({ kind }) => /Role/.test(kind))).toEqual([])
})

function grantsOfDaemon(objects: readonly KubeObject[]): Grant[] {
  const roles = [...ofKind(objects, 'Role'), ...ofKind(objects, 'ClusterRole').filter(isOfDaemon)]
  return roles.flatMap((role) =>
    (at(role, 'rules') as readonly Rule[]).map((rule) => ({
      ...rule, // kubeconform has seen that these are rules
      role: role.metadata.name,
      namespace: role.kind === 'Role' ? (role.metadata.namespace ?? 'vpd-system') : undefined,
    })),
  )
}

/** The others are for people. */
function isOfDaemon({ metadata }: KubeObject): boolean {
  return !/-(viewer|operator)$/.test(metadata.name)
}

function pluralOf(kind: string): string {
  const plural = kind.toLowerCase()
  return plural.endsWith('ss') ? `${plural}es` : `${plural}s`
}
