import { describe, expect, it } from 'vitest'
import { aConfigMap, anInfrastructure, anIni, aSecret, aYaml, gists, linted, logins } from './support.ts'

const [one, two, three] = ['vc1.example.com', 'vc2.example.com', 'vc3.example.com'] as const

describe('Infrastructure and cloud config that agree', () => {
  const east = { east: [one, 'DC0'] } as const
  it.each([
    ['INI with a failure domain', anInfrastructure({ [one]: ['DC0'] }, east), anIni({ [one]: 'DC0' })],
    ['YAML with one vCenter', anInfrastructure({ [one]: ['DC0'] }, east), aYaml({ [one]: ['DC0'] })],
    ['YAML without failure domains', anInfrastructure({ [one]: ['DC0'] }), aYaml({ [one]: ['DC0'] })],
  ])('%s', async (_, infrastructure, config) => {
    const found = await linted({ 'infra.yaml': infrastructure, 'cm.yaml': aConfigMap(config) })
    const news = found.findings.filter((line) => !line.includes(': info: '))
    expect({ code: found.code, news, stderr: found.stderr }).toEqual({ code: 0, news: [], stderr: '' })
  })

  it('YAML with two vCenters and their logins prints nothing but the closing line', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [one]: ['DC0'], [two]: ['DC1'] }, { east: [one, 'DC0'], west: [two, 'DC1'] }),
      'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'], [two]: ['DC1'] })),
      'secret.yaml': aSecret(logins(one, two)),
    })
    expect(found.stdout).toBe('3 files: nothing wrong; checks: 10 pass, 2 skip\n')
    expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('a server that differs', () => {
  it('is shown with both lists where it was renamed', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [two]: ['DC0'] }, { east: [two, 'DC0'] }),
      'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'] })),
    })
    expect(found.code).toBe(3)
    expect(found.findings).toEqual([
      `cm.yaml:12:7: error: [infra-cloud-config/VCenterMissingFromInfrastructure] vCenter ${one} is in the cloud config but not in Infrastructure. Infrastructure lists 1 (${two}); the cloud config lists 1 (${one}).`,
      `infra.yaml:13:19: error: [infra-cloud-config/VCenterMissingFromCloudConfig] vCenter ${two} is in Infrastructure but not in the cloud config. Infrastructure lists 1 (${two}); the cloud config lists 1 (${one}).`,
    ])
  })

  it('is shown with both counts where one is missing', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [one]: ['DC0'], [two]: ['DC1'] }, { east: [one, 'DC0'], west: [two, 'DC1'] }),
      'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'] })),
    })
    expect(found.findings).toEqual([
      `infra.yaml:16:19: error: [infra-cloud-config/VCenterMissingFromCloudConfig] vCenter ${two} is in Infrastructure but not in the cloud config. Infrastructure lists 2 (${one}, ${two}); the cloud config lists 1 (${one}).`,
    ])
  })
})

it('a failure domain of an unknown server is named with the known ones, and its datacenter is not complained about', async () => {
  const found = await linted({
    'infra.yaml': anInfrastructure({ [one]: ['DC0'] }, { east: [one, 'DC0'], west: [three, 'DC7'] }),
    'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'] })),
  })
  expect(found.findings).toEqual([
    `infra.yaml:28:19: error: [failure-domain-vcenters/UnknownVCenter] Failure domain west names the server ${three}; the known vCenters are ${one}.`,
  ])
})

it.each([
  ['INI', anIni({ [one]: 'DC0', [two]: 'DC0' }), ['cloud-config-format/IniDeprecated']],
  ['YAML', aYaml({ [one]: ['DC0'], [two]: ['DC0'] }), []],
])('a vCenter that no failure domain uses is named, with %s', async (_, config, beside) => {
  const found = await linted({
    'infra.yaml': anInfrastructure({ [one]: ['DC0'], [two]: ['DC0'] }, { east: [one, 'DC0'] }),
    'cm.yaml': aConfigMap(config),
  })
  expect(gists(found).map((gist) => gist.split(' ')[1])).toEqual([...beside, 'vcenter-in-use/VCenterUnused'])
  expect(found.findings.at(-1)).toContain(`No failure domain names ${two}. The failure domains are east (${one}).`)
})

describe('a datacenter that is missing', () => {
  it('from the cloud config is named with failure domain, vCenter and ConfigMap, each of two', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [one]: ['DC1', 'DC2'] }, { east: [one, 'DC1'], west: [one, 'DC2'] }),
      'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'] })),
    })
    expect(
      found.stdout,
    ).toBe(`cm.yaml:15:11: error: [datacenter-consistency/DatacenterMissingFromCloudConfig] Failure domain east is in datacenter DC1; the cloud config lists DC0 for ${one}.
  Add DC1 to the datacenters of ${one} in ConfigMap openshift-config/cloud-provider-config, key config.
cm.yaml:15:11: error: [datacenter-consistency/DatacenterMissingFromCloudConfig] Failure domain west is in datacenter DC2; the cloud config lists DC0 for ${one}.
  Add DC2 to the datacenters of ${one} in ConfigMap openshift-config/cloud-provider-config, key config.
2 files: 2 errors; checks: 7 pass, 2 skip
`)
  })

  it('from Infrastructure is found, with several vCenters too', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [one]: ['DC0'], [two]: ['DC0'] }, { east: [one, 'DC0'], west: [two, 'DC1'] }),
      'cm.yaml': aConfigMap(aYaml({ [one]: ['DC0'], [two]: ['DC0', 'DC1'] })),
    })
    expect(gists(found)).toEqual(['infra.yaml:17:11 datacenter-consistency/DatacenterMissingFromInfrastructure'])
  })
})

it.each([
  ['DC0', ['DC1']],
  ['DC0,DC1', []],
  [' DC0 , DC1 ', []],
  ['', ['DC0', 'DC1']],
])('the datacenters %j of INI lack %j', async (written, missing) => {
  const found = await linted({
    'infra.yaml': anInfrastructure({ [one]: ['DC0', 'DC1'] }, { east: [one, 'DC0'], west: [one, 'DC1'] }),
    'vsphere.conf': anIni({ [one]: written }),
  })
  const named = found.findings.flatMap((line) => /is in datacenter (\w+); the cloud config/.exec(line)?.[1] ?? [])
  expect(named).toEqual(missing)
})
