import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { infrastructure, login, openshiftConfig, secret } from '../cluster/support/objects.ts'
import { tarOf } from '../cluster/support/tar.ts'
import { collectedFrom } from '../support/collected.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { reportIn } from '../support/report.ts'
import { aVCenter } from '../support/vcenter.ts'
import { gist } from '../support/world.ts'

const json = JSON.stringify
const configMaps = 'namespaces/openshift-config/core/configmaps.yaml'
const infrastructures = 'cluster-scoped-resources/config.openshift.io/infrastructures.yaml'
const listOf = (kind: string, item: object) => `apiVersion: v1\nitems:\n- ${json(item)}\nkind: ${kind}\nmetadata: {}\n`
const whole = {
  [configMaps]: listOf('ConfigMapList', openshiftConfig()),
  [infrastructures]: listOf('InfrastructureList', infrastructure()),
}

describe('vpd check --from, of files that cannot all be read', () => {
  it.each<[string, Readonly<Record<string, string>>, number, string | undefined]>([
    ['nothing is wrong with', {}, 0, undefined],
    ['the cloud config is broken', { [configMaps]: `${whole[configMaps]}  bad: : x\n` }, 4, `${configMaps}:6`],
    [
      'Infrastructure is broken',
      { [infrastructures]: `${whole[infrastructures]}  bad: : x\n` },
      4,
      `${infrastructures}:6`,
    ],
  ])('%s', async (_, files, expected, file) => {
    const folder = aFolder({ ...whole, ...files })
    const args = ['check', '--from', folder, '--no-vcenter', '--check', 'infra-cloud-config', '-o', 'json']
    const { code, stdout, stderr } = await vpd(args)
    const unknown = reportIn(stdout).results.flatMap(({ unknowns }) => unknowns)
    expect(code).toBe(expected)
    expect(unknown.every((why) => why.includes(`may be in ${file}`))).toBe(true)
    expect([unknown.length > 0, stderr.includes(`${file}: passed over, not YAML`)]).toEqual([
      file !== undefined,
      file !== undefined,
    ])
  })

  it('credentials that may be in a file that was cut off are not said to be missing', async () => {
    const folder = aFolder({
      ...whole,
      'secret.json': json(secret('kube-system/vsphere-creds', login('vc-1'))).slice(0, -20),
    })
    const { stdout } = await vpd(['check', '--from', folder, '--check', 'vcenter-connection', '-o', 'json'])
    const [result] = reportIn(stdout).results
    expect(result).toMatchObject({ check: 'vcenter-connection', outcome: 'unknown' })
    expect(result?.unknowns.join()).toContain('secret.json')
  })

  it('a malformed object is a warning, whatever is checked', async () => {
    const folder = aFolder({ ...whole, 'a.json': '{"kind":"Node","metadata":5}' })
    const { stderr } = await vpd(['check', '--from', folder, '--no-vcenter', '--check', 'infra-cloud-config'])
    expect(stderr).toContain('a.json: Node is malformed at metadata')
  })
})

describe('vpd check --from, of nodes that cannot all be read', () => {
  it('judges the others, names the malformed one, and says that there may be more', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-13' } })
    const folder = collectedFrom({ vcenter })
    writeFileSync(join(folder, 'odd.yaml'), 'kind: Node\nmetadata:\n  name: odd\nspec: none\n')
    const args = ['check', '--from', folder, '--check', 'vm-hardware-version', '-o', 'json']
    const malformed = await vpd(args)
    expect(malformed.code).toBe(3)
    expect(reportIn(malformed.stdout).results.map(gist)).toEqual([
      'node/odd unknown',
      'node/worker-0 fail HardwareVersionTooOld',
      'node/odd skip',
    ])
    expect(reportIn(malformed.stdout).results[0]?.unknowns).toEqual([
      'odd.yaml:4: Node odd is malformed at spec: Invalid input: expected object, received string. Correct it, or collect it again.',
    ])

    writeFileSync(join(folder, 'odd.yaml'), 'kind: Node\nmetadata: {name: [\n')
    const cutOff = await vpd(args)
    expect(cutOff.code).toBe(3)
    expect(reportIn(cutOff.stdout).results.map(gist)).toEqual([
      'cluster/cluster unknown',
      'node/worker-0 fail HardwareVersionTooOld',
      'cluster/cluster skip',
    ])
    expect(reportIn(cutOff.stdout).results[0]?.unknowns.join()).toMatch(
      /^An object of kind Node may be in odd\.yaml:\d/,
    )
  })
})

describe('vpd check --from, of files without anything to check', () => {
  const archive = () => {
    const file = join(aFolder({}), 'x.tar')
    writeFileSync(file, tarOf([{ name: '/x.json', text: json(infrastructure()) }]))
    return file
  }
  it.each<[string, () => string, string]>([
    ['an empty folder', () => aFolder({}), 'it holds no YAML or JSON file. Is it the right one?'],
    [
      'a broken file',
      () => aFolder({ 'a.yaml': 'kind: Node\nx: [\n' }),
      'The first of 1 troubles is a.yaml:3: passed over, not YAML (BAD_INDENT); correct it, or collect it again',
    ],
    [
      'hostile paths',
      archive,
      'The first of 1 troubles is /x.json: passed over, its path leads out of the archive; archive it with a path below its folder',
    ],
  ])('%s is refused', async (_, make, says) => {
    const path = make()
    const { code, stdout, stderr } = await vpd([
      'check',
      '--from',
      path,
      '--check',
      'credentials',
      'infra-cloud-config',
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n').at(-2)).toMatch(new RegExp(`^${path} has no object that is looked at `))
    expect(stderr).toContain(says)
  })
})

describe('vpd check --from, without the credentials it takes', () => {
  const files = { ...whole, 'secret.json': json(secret('kube-system/vsphere-creds', login('vc-old'))) }
  const errorOf = async (folder: string, ...args: string[]) => {
    const { stdout } = await vpd(['check', '--from', folder, '-o', 'json', ...args])
    return reportIn(stdout).vcenters.map(({ error }) => error?.replaceAll(folder, 'FOLDER'))
  }
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['those of the files', files, 'there are credentials for vc-old, and none for vc-1. Give them with --credentials.'],
    ['none', whole, 'the collected files hold no credentials. Give them with --credentials.'],
  ])('but with %s', async (_, files, why) => {
    expect(await errorOf(aFolder(files))).toEqual([`Not looked at: ${why}`])
  })

  it('but with those of another server in the file that was given', async () => {
    const file = join(aFolder({ 's.json': json(secret('a/b', login('vc-2'))) }), 's.json')
    expect(await errorOf(aFolder(whole), '--credentials', file)).toEqual([
      `Not looked at: there are credentials for vc-2, and none for vc-1. Name the keys in ${file} after the server.`,
    ])
  })
})
