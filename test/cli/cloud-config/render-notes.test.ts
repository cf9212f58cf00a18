import { describe, expect, it } from 'vitest'
import { CLOUD, type Files, ONE, render } from './render-support.ts'
import { credentials, INI, LOGINS } from './samples.ts'

describe('a remark on stderr, and the result all the same:', () => {
  it.each<[string, Files, string]>([
    [
      'a CA file',
      { ...ONE, cloud: INI.replace('[Global]\n', '[Global]\nca-file = /etc/ca.pem\n') },
      'cloud:3:11: the CA file of vCenter vc1.example.com is a path in the pod of the cloud provider; it is left out, so see that the CSI driver trusts the certificate.',
    ],
    [
      'a line break that echo left behind',
      { creds: credentials({ ...LOGINS, 'vc1.example.com.password': 'x\n' }) },
      'creds: Secret kube-system/vsphere-creds: vc1.example.com.password holds a line break; write it again without one, for instance with printf instead of echo.',
    ],
    [
      'credentials of another vCenter',
      ONE,
      'creds: Secret kube-system/vsphere-creds: has credentials for vc2.example.com too, which is not in the cloud config.',
    ],
  ])('%s', async (_, files, remark) => {
    const { code, stdout, stderr } = await render(files, ['--format', 'ini'])
    expect(stderr).toContain(`${remark}\n`)
    expect(stdout).toContain('[VirtualCenter "vc1.example.com"]')
    expect(code).toBe(0)
  })

  it('a datacenter of a failure domain that is not listed is told', async () => {
    const cloud = CLOUD.replace('[DC2]', '[DC3]')
    const { code, stderr } = await render({ cloud })
    expect(stderr).toMatch(
      /^infra: Infrastructure cluster: failure domain \S+ is in datacenter DC2, which cloud does not list/m,
    )
    expect(code).toBe(0)
  })
})
