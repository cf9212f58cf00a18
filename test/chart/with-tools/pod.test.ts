import { describe, expect, it } from 'vitest'
import { at, hasHelm, only, rendered, valueSets } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

const podOf = (set: string, over: object = {}) => at(only(rendered(set, over), 'Deployment'), 'spec.template.spec')

describe.each(valueSets)('with the values %s', (set) => {
  itWithHelm('the pod is one that the restricted profile and restricted-v2 admit', () => {
    const pod = podOf(set)
    expect(at(pod, 'securityContext')).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(at(pod, 'containers.0.securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(at(pod, 'containers.1')).toBeUndefined()
    expect(JSON.stringify(pod)).not.toMatch(/runAsUser|fsGroup|hostNetwork|hostPath|privileged/)
  })

  itWithHelm('is probed on its port, in the way that it serves', () => {
    const pod = podOf(set)
    const port = at(pod, 'containers.0.ports.0.name')
    const scheme = String(port).toUpperCase()
    expect(at(pod, 'containers.0.livenessProbe.httpGet')).toEqual({ path: '/livez', port, scheme })
    expect(at(pod, 'containers.0.readinessProbe.httpGet')).toEqual({ path: '/readyz', port, scheme })
    expect(at(only(rendered(set), 'Service'), 'spec.ports.0.targetPort')).toBe(port)
    expect(at(pod, 'volumes.1.secret') !== undefined).toBe(scheme === 'HTTPS')
  })

  itWithHelm('what is mounted is there, and read only', () => {
    const pod = podOf(set)
    const names = (list: unknown) => (Array.isArray(list) ? list.map((item) => at(item, 'name')) : [])
    const mounts = at(pod, 'containers.0.volumeMounts')
    expect(names(mounts)).toEqual(names(at(pod, 'volumes')))
    for (const mount of Array.isArray(mounts) ? mounts : []) expect(at(mount, 'readOnly')).toBe(true)
  })

  itWithHelm('replicas are spread by their own labels', () => {
    const labels = at(only(rendered(set), 'Deployment'), 'spec.template.metadata.labels')
    const selector = at(podOf(set), 'topologySpreadConstraints.0.labelSelector.matchLabels')
    expect(labels).toMatchObject(selector as object)
    expect(Object.keys(selector as object)).toHaveLength(2)
  })
})

itWithHelm('the image is named by tag or digest, from the registry of the whole installation', () => {
  const image = (over: object) => at(podOf('kubernetes', over), 'containers.0.image')
  const digest = `sha256:${'0'.repeat(64)}`
  expect(image({})).toMatch(/^vsphere-problem-detector:\d+\.\d+\.\d+$/)
  expect(image({ image: { registry: 'r.example', tag: 'edge' } })).toBe('r.example/vsphere-problem-detector:edge')
  expect(image({ image: { registry: 'r.example', digest }, global: { imageRegistry: 'g.example' } })).toBe(
    `g.example/vsphere-problem-detector@${digest}`,
  )
})

itWithHelm('a registry may have a path, as that of OpenShift does', () => {
  const registry = 'image-registry.openshift-image-registry.svc:5000/vsphere-problem-detector'
  expect(at(podOf('openshift', { image: { registry } }), 'containers.0.image')).toMatch(
    /^image-registry\.openshift-image-registry\.svc:5000\/vsphere-problem-detector\/vsphere-problem-detector:\d/,
  )
})

itWithHelm('runs on a control plane, whatever the cluster calls it, and on nodes without a cloud provider', () => {
  const tolerations = at(podOf('kubernetes'), 'tolerations')
  expect(tolerations).toEqual(
    [
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node-role.kubernetes.io/control-plane',
      'node-role.kubernetes.io/master',
    ].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
  )
})

itWithHelm('a change of settings does not restart the pods, because the daemon reloads them', () => {
  const cron = { config: { schedule: { cron: '0 * * * *' } } }
  expect(podOf('kubernetes', cron)).toEqual(podOf('kubernetes'))
})
