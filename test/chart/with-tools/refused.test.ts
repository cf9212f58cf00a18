import { expect, it } from 'vitest'
import { chart, hasHelm, helm } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

const refused: readonly (readonly [string, object, RegExp])[] = [
  ['three replicas', { replicaCount: 3 }, /replicaCount/],
  [
    'two replicas that both lead',
    { replicaCount: 2, config: { leaderElection: { enabled: false } } },
    /needs config\.leaderElection\.enabled/,
  ],
  [
    'an address that no probe reaches',
    { config: { http: { host: '127.0.0.1' } } },
    /config\.http\.host 127\.0\.0\.1 can be reached by neither probes nor the Service/,
  ],
  ...['commonLabels', 'podLabels'].map(
    (value) =>
      [
        `a label in ${value} that pods are selected by`,
        { [value]: { 'app.kubernetes.io/instance': 'mine' } },
        new RegExp(`${value} has app\\.kubernetes\\.io/instance, which the chart sets itself; remove it`),
      ] as const,
  ),
  ...['service', 'serviceMonitor', 'prometheusRule'].map(
    (value) =>
      [
        `a label in ${value}.labels that Helm knows its objects by`,
        { [value]: { labels: { 'app.kubernetes.io/managed-by': 'me' } } },
        new RegExp(`${value}\\.labels has app\\.kubernetes\\.io/managed-by`),
      ] as const,
  ),
  [
    'TLS without a certificate',
    { tls: { enabled: true } },
    /name a secret of type kubernetes\.io\/tls in tls\.secretName/,
  ],
  ['certificate files that no volume has', { config: { http: { tls: { certFile: '/a', keyFile: '/b' } } } }, /config/],
  ['a source that is no cluster', { config: { source: 'demo' } }, /source/],
  ['a cloud config without its key', { config: { source: { kubernetes: { cloudConfig: 'a/b' } } } }, /source/],
  ['a misspelt value', { serviceMonitor: { enabeld: true } }, /enabeld/],
  ['a secret without its namespace', { rbac: { extraSecrets: ['vsphere-creds'] } }, /extraSecrets/],
  ['all secrets of a namespace', { rbac: { extraSecrets: ['kube-system/*'] } }, /extraSecrets/],
  ['an alert that does not exist', { prometheusRule: { disabled: ['Nothing'] } }, /disabled/],
  ['a probe of another kind', { livenessProbe: { tcpSocket: { port: 1 } } }, /livenessProbe/],
  ['too little time to log out', { terminationGracePeriodSeconds: 5 }, /terminationGracePeriodSeconds/],
]

itWithHelm.each(refused)('%s: refused before anything is installed', (_what, values, message) => {
  const { status, stdout, stderr } = helm(['template', 'vpd', chart], 'kubernetes', values)
  expect(stderr).toMatch(message)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
})
