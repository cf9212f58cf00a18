import { expect, it } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import { aConfigMap, anInfrastructure, aSecret, aYaml, linted, logins } from './support.ts'

const spellings = ['VC-1.example.com', 'vc-1.example.com'] as const

/** Each place but Infrastructure, and what is said of it where it is the odd one. */
const others = {
  cloudConfig: (odd: string, right: string) =>
    new RegExp(`^infra-cloud-config/VCenterNameCaseDiffers: .* Rename the entry ${odd} in .* to ${right}\\.$`),
  secret: (odd: string, right: string) =>
    new RegExp(
      `^credentials/ServerNameCaseDiffers: .* rename the keys to ${right}\\.username and ${right}\\.password\\. .* key ${odd}\\.username\\.$`,
    ),
  csi: (odd: string, right: string) =>
    new RegExp(
      `^csi-config/VCenterMissingFromCsiConfig: .* Write the name of \\[VirtualCenter "${odd}"] as ${right} in `,
    ),
  failureDomain: (_: string, right: string) =>
    new RegExp(`^failure-domain-vcenters/UnknownVCenter: .* Write ${right} in failure domain east of Infrastructure`),
}
type Place = 'infrastructure' | keyof typeof others

const places: readonly Place[] = ['infrastructure', 'cloudConfig', 'secret', 'csi', 'failureDomain']

/** Every way to write one name in two spellings in all these places. */
const splits = Array.from({ length: 2 ** places.length }, (_, bits) => {
  const spelt = (place: Place) => spellings[(bits >> places.indexOf(place)) & 1] ?? spellings[0]
  const inLower = places.filter((place) => spelt(place) === spellings[1]).join(', ')
  return { inLower: inLower === '' ? 'no place' : inLower, spelt }
})

it.each(splits)(
  'every remedy aims at the spelling of Infrastructure, with small letters in $inLower',
  async ({ spelt }) => {
    const right = spelt('infrastructure')
    const csi = `[Global]\ncluster-id = c\n[VirtualCenter "${spelt('csi')}"]\nuser = u@d\npassword = p\ndatacenters = DC0\n`
    const files = {
      'infra.yaml': anInfrastructure({ [right]: ['DC0'] }, { east: [spelt('failureDomain'), 'DC0'] }),
      'cm.yaml': aConfigMap(aYaml({ [spelt('cloudConfig')]: ['DC0'] })),
      'secret.yaml': aSecret(logins(spelt('secret'))),
      'csi.conf': csi,
    }
    const { stdout } = await linted(files, ['-o', 'json'])
    const report: Pick<Report, 'results'> = JSON.parse(stdout)
    const said = report.results.flatMap(({ check, findings }) =>
      findings.map(({ reason, message, remedy }) => `${check}/${reason}: ${message} ${remedy}`),
    )
    const expected = Object.entries(others).flatMap(([place, remedy]) => {
      const odd = spelt(place as Place) // a key of `others`
      return odd === right ? [] : [remedy(odd, right)]
    })
    expect(said.sort()).toEqual(
      expected.toSorted((a, b) => (a.source < b.source ? -1 : 1)).map((text) => expect.stringMatching(text)),
    )
  },
)

it.each(spellings)('copies of the secret are to follow Infrastructure too, with %s there', async (right) => {
  const odd = spellings.find((each) => each !== right) ?? ''
  const infrastructure = anInfrastructure({ [right]: ['DC0'] }, { east: [right, 'DC0'] })
  const { findings } = await linted({
    'infra.yaml': infrastructure,
    'cm.yaml': aConfigMap(aYaml({ [odd]: ['DC0'] })),
    'root.yaml': aSecret(logins(right)),
    'one.yaml': aSecret(logins(right), 'openshift-machine-api/vsphere-cloud-credentials'),
    'two.yaml': aSecret(logins(odd), 'openshift-cloud-controller-manager/vsphere-cloud-credentials'),
  })
  expect(findings).toEqual([
    expect.stringMatching(/^cm\.yaml:.*\[infra-cloud-config\/VCenterNameCaseDiffers\]/),
    expect.stringMatching(
      `^two\\.yaml:.*\\[credentials/ServerNameCaseDiffers\\].* rename the keys to ${right}\\.username`,
    ),
  ])
})

const addresses = ['vc-1.example.com', '10.0.0.1'] as const
const four: readonly Place[] = ['infrastructure', 'cloudConfig', 'secret', 'csi']

it.each(
  Array.from({ length: 2 ** four.length }, (_, bits) => ({
    spelt: (place: Place) => addresses[(bits >> four.indexOf(place)) & 1] ?? addresses[0],
    byAddress: four.filter((_, index) => (bits >> index) & 1).join(', ') || 'no place',
  })),
)('and at its name or address, with the address in $byAddress', async ({ spelt }) => {
  const right = spelt('infrastructure')
  const odd = addresses.find((each) => each !== right) ?? ''
  const csi = `[Global]\ncluster-id = c\n[VirtualCenter "${spelt('csi')}"]\nuser = u@d\npassword = p\ndatacenters = DC0\n`
  const { stdout } = await linted({
    'infra.yaml': anInfrastructure({ [right]: ['DC0'] }, { east: [right, 'DC0'] }),
    'cm.yaml': aConfigMap(aYaml({ [spelt('cloudConfig')]: ['DC0'] })),
    'secret.yaml': aSecret(logins(spelt('secret'))),
    'csi.conf': csi,
  })
  const reasons = [...stdout.matchAll(/: error: \[([^\]]+)/g)].map(([, reason]) => reason)
  expect(reasons.sort()).toEqual([
    ...(spelt('secret') === right ? [] : ['credentials/CredentialsMissing']),
    ...(spelt('csi') === right ? [] : ['csi-config/VCenterByNameAndAddress']),
    ...(spelt('cloudConfig') === right ? [] : ['infra-cloud-config/VCenterByNameAndAddress']),
  ])
  for (const wish of [' to ', ' as ', 'add ', 'all have ', 'add a section [VirtualCenter "'])
    expect(stdout.toLowerCase()).not.toContain(`${wish}${odd}`.toLowerCase())
})
