import { describe, expect, it } from 'vitest'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { credentials } from './samples.ts'

const twoVCenters = (global: object, second: object, labels = {}) =>
  JSON.stringify({
    global: { insecureFlag: true, ...global },
    vcenter: { 'vc-1': { server: 'vc-1', user: 'u1@d', password: 'own-1' }, 'vc-2': { server: 'vc-2', ...second } },
    labels,
  })
const labels = { region: 'k8s-region', zone: 'k8s-zone' }
const own = { user: 'u2@d', password: 'own-2' }
const fromSecret = { secretName: 's', secretNamespace: 'kube-system' }
const secret = credentials({ 'vc-2.username': 'u3@d', 'vc-2.password': 'kept-3' })

async function render(cloud: string, creds?: string) {
  const folder = aFolder({ cloud, creds: creds ?? '' })
  const given = creds === undefined ? [] : ['--credentials', `${folder}/creds`]
  const inputs = ['--cloud-config', `${folder}/cloud`, ...given, '--cluster-id', 'c', '--format', 'ini']
  return vpd(['config', 'render', 'csi', ...inputs])
}

describe('vpd config render csi on plain Kubernetes', () => {
  it.each([
    ['the cloud config alone has the logins', twoVCenters({}, own, labels), undefined, ['own-1', 'own-2']],
    [
      'a secret has those that the cloud config lacks',
      twoVCenters({}, fromSecret, labels),
      secret,
      ['own-1', 'kept-3'],
    ],
    ['a secret has one that the cloud config has as well', twoVCenters({}, own, labels), secret, ['own-1', 'kept-3']],
  ])('works where %s', async (_, cloud, creds, passwords) => {
    const { code, stdout, stderr } = await render(cloud, creds)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect([...stdout.matchAll(/^password = "(.*)"$/gm)].map(([, password]) => password)).toEqual(passwords)
  })

  it('names the vCenters that have no login, where no secret is given', async () => {
    expect(await render(twoVCenters({}, fromSecret, labels))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'vCenter vc-2: the cloud config has no user and password for it; give the Secret that has them with --credentials.\n',
    })
  })

  it('says what helps several vCenters without topology categories', async () => {
    expect(await render(twoVCenters({}, own))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The CSI driver would refuse the result: several vCenters need topology-categories in [Labels]; they come from the labels region and zone of the cloud config: set both to the names of their tag categories.\n',
    })
  })
})
