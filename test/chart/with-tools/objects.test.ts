import { expect, it } from 'vitest'
import { at, chart, hasHelm, helm, ofKind, only, rendered, settingsText } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

const servingCertificate = 'service.beta.openshift.io/serving-cert-secret-name'

itWithHelm('OpenShift is recognised by its API, and can be contradicted', () => {
  const has = (...args: string[]) =>
    helm(['template', 'vpd', chart, ...args], 'kubernetes').stdout.includes('openshift')
  expect({
    plain: has(),
    openshift: has('--api-versions', 'config.openshift.io/v1'),
    contradicted: has('--api-versions', 'config.openshift.io/v1', '--set', 'openshift.enabled=false'),
  }).toEqual({ plain: false, openshift: true, contradicted: false })
})

itWithHelm('on OpenShift the service CA makes the certificate that the pods mount', () => {
  const objects = rendered('openshift')
  const secret = only(objects, 'Service').metadata.annotations?.[servingCertificate]
  expect(secret).toMatch(/-tls$/)
  expect(at(only(objects, 'Deployment'), 'spec.template.spec.volumes.1.secret.secretName')).toBe(secret)
  expect(at(only(objects, 'ServiceMonitor'), 'spec.endpoints.0.tlsConfig.ca.configMap.name')).toBe(
    'openshift-service-ca.crt',
  )
})

itWithHelm('a certificate of one’s own is taken instead', () => {
  const objects = rendered('openshift', { tls: { secretName: 'mine' } })
  expect(only(objects, 'Service').metadata.annotations).toBeUndefined()
  expect(at(only(objects, 'Deployment'), 'spec.template.spec.volumes.1.secret.secretName')).toBe('mine')
})

itWithHelm('the ports of daemon, container, Service and NetworkPolicy agree', () => {
  const objects = rendered('openshift', { config: { http: { port: 9000 } }, service: { port: 443 } })
  expect(at(only(objects, 'Deployment'), 'spec.template.spec.containers.0.ports.0.containerPort')).toBe(9000)
  expect(at(only(objects, 'NetworkPolicy'), 'spec.ingress.0.ports.0.port')).toBe(9000)
  expect(at(only(objects, 'Service'), 'spec.ports.0.port')).toBe(443)
  expect(settingsText(objects)).toContain('port: 9000')
})

itWithHelm('only two replicas are protected from drains', () => {
  expect(ofKind(rendered('kubernetes'), 'PodDisruptionBudget')).toHaveLength(0)
  expect(at(only(rendered('two-replicas'), 'PodDisruptionBudget'), 'spec.maxUnavailable')).toBe(1)
})

itWithHelm('Prometheus proves who it is, in the way that was asked for', () => {
  const endpoint = (over: object) =>
    at(
      only(rendered('kubernetes', { serviceMonitor: { enabled: true }, ...over }), 'ServiceMonitor'),
      'spec.endpoints.0',
    )
  expect(endpoint({})).toHaveProperty('bearerTokenFile')
  expect(endpoint({ config: { http: { auth: 'none' } } })).not.toHaveProperty('bearerTokenFile')
  const own = endpoint({ serviceMonitor: { enabled: true, authorization: { credentials: { name: 'a', key: 'b' } } } })
  expect(own).toMatchObject({ authorization: { credentials: { name: 'a', key: 'b' } } })
  expect(own).not.toHaveProperty('bearerTokenFile')
})

itWithHelm('settings of one’s own are mounted, and none are made', () => {
  const objects = rendered('existing-config')
  expect(ofKind(objects, 'ConfigMap')).toEqual([])
  expect(ofKind(objects, 'ServiceAccount')).toEqual([])
  expect(at(only(objects, 'Deployment'), 'spec.template.spec.volumes.0.configMap.name')).toBe('my-settings')
})

itWithHelm('every object has the common labels', () => {
  for (const { kind, metadata } of rendered('everything', { extraManifests: [] })) {
    expect({ kind, labels: metadata.labels }).toMatchObject({
      labels: { 'app.kubernetes.io/name': 'detector', 'app.kubernetes.io/instance': 'vpd', 'team': 'storage' },
    })
  }
})

itWithHelm('a label that is given twice counts as the narrower says, and pods are still found', () => {
  const objects = rendered('kubernetes', {
    commonLabels: { 'team': 'all', 'app.kubernetes.io/part-of': 'platform' },
    podLabels: { team: 'pods' },
    service: { labels: { team: 'service' } },
  })
  const deployment = only(objects, 'Deployment')
  const podLabels = at(deployment, 'spec.template.metadata.labels')
  expect(deployment.metadata.labels).toMatchObject({ 'team': 'all', 'app.kubernetes.io/part-of': 'platform' })
  expect(podLabels).toMatchObject({ 'team': 'pods', 'app.kubernetes.io/part-of': 'platform' })
  expect(only(objects, 'Service').metadata.labels).toMatchObject({ team: 'service' })
  expect(podLabels).toMatchObject(at(deployment, 'spec.selector.matchLabels') as object)
})

itWithHelm('a release whose name looks like a number has labels all the same', () => {
  const { status, stdout } = helm(['template', '2027', chart], 'kubernetes')
  expect(status).toBe(0)
  expect(stdout).not.toMatch(/app\.kubernetes\.io\/instance: [^"]/)
})

itWithHelm('further objects are made, with their templates rendered', () => {
  const names = ofKind(rendered('everything'), 'ConfigMap').map(({ metadata }) => metadata.name)
  expect(names.sort()).toEqual(['our-checks', 'vpd-detector', 'vpd-detector-events', 'vpd-detector-note'])
})

itWithHelm('what was told is remembered where the settings say, and nowhere without Events', () => {
  const remembered = (events: object) =>
    ofKind(rendered('kubernetes', { config: { events } }), 'ConfigMap')
      .filter((object) => at(object, 'data') === undefined)
      .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)
  expect(remembered({})).toEqual(['vpd-system/vpd-vsphere-problem-detector-events'])
  expect(remembered({ namespace: 'news', memory: 'told' })).toEqual(['news/told'])
  expect(remembered({ enabled: false })).toEqual([])
})
