import { Agent, get } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SelfSigned } from '../../src/simulator/certificate.ts'
import { aCertificate } from '../http/client.ts'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane, type KubeObject, tokenOf } from './support/api.ts'
import { aCluster, accountToken, type Cluster, home, patience } from './support/cluster.ts'
import { aMount } from './support/mount.ts'
import { aReplica } from './support/replica.ts'

const [one, two] = [aCertificate(new Date('2031-05-06T07:08:09Z')), aCertificate(new Date('2032-05-06T07:08:09Z'))]
const both = one.certificate + two.certificate

function filesOf({ certificate, privateKey }: SelfSigned) {
  return { 'tls.crt': certificate, 'tls.key': privateKey }
}

async function running() {
  const mount = aMount(filesOf(one))
  const [VPD_HTTP_TLS_CERT_FILE, VPD_HTTP_TLS_KEY_FILE] = [`${mount.folder}/tls.crt`, `${mount.folder}/tls.key`]
  const cluster = await aCluster({ server: await aVCenter() })
  const replica = await aReplica(cluster, {
    env: { VPD_HTTP_TLS_CERT_FILE, VPD_HTTP_TLS_KEY_FILE },
    servedBy: both,
  })
  await replica.afterRounds(1)
  return { mount, cluster, replica }
}

/** The token of an account that may read metrics and nothing else, as a scraper has it. */
async function scraper(cluster: Cluster): Promise<string> {
  const rbac = 'rbac.authorization.k8s.io'
  const object = (apiVersion: string, kind: string, metadata: KubeObject['metadata'], rest: object): KubeObject => ({
    apiVersion,
    kind,
    metadata,
    ...rest,
  })
  const name = 'scraper'
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name }
  const subjects = [{ kind: 'ServiceAccount', namespace: home, name }]
  await cluster.put(object('v1', 'ServiceAccount', { namespace: home, name }, {}))
  await cluster.put(object(`${rbac}/v1`, 'ClusterRole', { name }, { rules }))
  await cluster.put(object(`${rbac}/v1`, 'ClusterRoleBinding', { name }, { roleRef, subjects }))
  return accountToken(name)
}

/** Asks again and again over one connection; resolves with the thumbprint of the certificate that it was begun with. */
function aConnection(url: string): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: both })
  onTestFinished(() => agent.destroy())
  return () =>
    new Promise((resolve, reject) => {
      const request = get(`${url}livez`, { agent }, (answer) => {
        const socket = answer.socket as TLSSocket // of HTTPS
        const { fingerprint256 } = socket.getPeerCertificate()
        answer.resume().once('end', () => resolve(fingerprint256))
      })
      request.once('error', reject)
    })
}

describe.skipIf(!hasControlPlane)('HTTPS', () => {
  it('is spoken with whom the cluster knows and permits, whichever certificate is shown', async () => {
    const { mount, cluster, replica } = await running()
    const url = String(replica.logged('Listening')[0]?.['url'])
    const tokens = {
      nobody: '',
      stranger: 'made-up',
      forAnother: await cluster.tokenOf({ audience: 'another.example' }),
      nils: tokenOf('nils'),
      vera: tokenOf('vera'),
      scraper: await scraper(cluster),
    }
    const answers = () =>
      Promise.all(
        Object.entries(tokens).map(async ([who, token]) => {
          const paths = ['status', 'metrics']
          const all = await Promise.all(paths.map((path) => replica.get(path, { token })))
          return [who, ...all.map(({ status }) => status)].join(' ')
        }),
      )
    const expected = [
      'nobody 401 401',
      'stranger 401 401',
      'forAnother 401 401',
      'nils 403 403',
      'vera 200 200',
      'scraper 403 200',
    ]
    expect(url).toMatch(/^https:/)
    await vi.waitFor(async () => expect(await answers()).toEqual(expected), patience)
    expect((await replica.get('livez')).thumbprint).toBe(one.thumbprint)
    const connection = aConnection(url)
    expect(await connection()).toBe(one.thumbprint)

    mount.replace(filesOf(two))
    await vi.waitFor(async () => expect((await replica.get('livez')).thumbprint).toBe(two.thumbprint), patience)
    expect(await connection()).toBe(one.thumbprint)
    expect(await answers()).toEqual(expected)
    const { body } = await replica.get('metrics')
    const expiry = Date.parse('2032-05-06T07:08:09Z') / 1000
    expect(body).toContain(`vsphere_problem_detector_http_certificate_expiry_timestamp_seconds ${expiry}\n`)
    expect(body).toContain('vsphere_problem_detector_http_certificate_last_reload_successful 1\n')
    for (const token of Object.values(tokens).filter(Boolean)) expect(replica.stderr()).not.toContain(token)
  })
})
