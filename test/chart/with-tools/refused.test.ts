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
