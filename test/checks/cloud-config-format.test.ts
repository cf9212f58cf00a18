import { describe, expect, it } from 'vitest'
import { cloudConfigFormat } from '../../checks/cloud-config-format.ts'
import { absent, aWorld, unreadable, yamlFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const ini = '[Global]\nuser = u\npassword = p\n[VirtualCenter "vc-1"]\ndatacenters = dc\n'
const nearMiss = `${yamlFor(['vc-1'])}\nglobals: {}\n`

describe('cloud-config-format', () => {
  it.each([
    { what: 'YAML without a slip', cloudConfig: yamlFor(['vc-1']), gist: 'pass' },
    { what: 'INI', cloudConfig: ini, gist: 'pass IniDeprecated' },
    { what: 'a key that nobody reads', cloudConfig: nearMiss, gist: 'warn WrittenInVain' },
    {
      what: 'a text that nobody can read',
      cloudConfig: { state: 'broken', why: 'Line 3 makes no sense.' } as const,
      gist: 'fail CloudConfigBroken',
    },
    {
      what: 'a text that nobody can read, perhaps because of a slip',
      cloudConfig: {
        state: 'broken',
        why: 'The user is missing.',
        warnings: [{ line: 1, column: 1, message: 'the key "Global" is unknown' }],
      } as const,
      gist: 'fail CloudConfigBroken WrittenInVain',
    },
    {
      what: 'an entry with another server, which matters to OpenShift',
      cloudConfig: yamlFor(['vc-1=other']),
      gist: 'warn WrittenInVain',
    },
    { what: 'no cloud config', cloudConfig: absent('There is none.'), gist: 'skip' },
    { what: 'a cloud config that may not be read', cloudConfig: unreadable('Forbidden.'), gist: 'unknown' },
  ])('$what: $gist', async ({ cloudConfig, gist }) => {
    expect(await gists(cloudConfigFormat, aWorld({ cloudConfig }))).toEqual([`cluster/cluster ${gist}`])
  })

  it.each([
    { what: 'the right key', entries: ['vc-1=other'], listed: ['vc-1'], gist: 'warn WrittenInVain' },
    { what: 'no Infrastructure to compare with', entries: ['main=vc-1'], listed: [], gist: 'warn WrittenInVain' },
    { what: 'a key that infra-cloud-config complains of', entries: ['main=vc-1'], listed: ['vc-1'], gist: 'pass' },
    { what: 'an entry that nothing else names', entries: ['main=vc-1'], listed: ['vc-2'], gist: 'pass' },
  ])('another server under $what: $gist', async ({ entries, listed, gist }) => {
    const infrastructure = { vcenters: listed.map((server) => ({ server, datacenters: [] })) }
    const world = aWorld({ cloudConfig: yamlFor(entries), infrastructure })
    expect(await gists(cloudConfigFormat, world)).toEqual([`cluster/cluster ${gist}`])
  })

  const hiding = `${ini}[Workspace]\nserver = vc-1\n[Nodes]\ninternal-network-subnet-cidr = 10.0.0.0/8\n`

  it.each([
    { what: 'plain Kubernetes', world: { infrastructure: absent('No.') }, gist: 'pass IniDeprecated' },
    {
      what: 'OpenShift with failure domains',
      world: { failureDomains: { east: 'vc-1' } },
      gist: 'pass IniDeprecated',
    },
    { what: 'OpenShift without', world: {}, gist: 'warn WorkspaceNotSeen IniDeprecated' },
    {
      what: 'OpenShift without vCenters either',
      world: { infrastructure: { vcenters: [] } },
      gist: 'warn WorkspaceNotSeen IniDeprecated',
    },
  ])('[Nodes] beside [Workspace] on $what: $gist', async ({ world, gist }) => {
    expect(await gists(cloudConfigFormat, aWorld({ cloudConfig: hiding, ...world }))).toEqual([
      `cluster/cluster ${gist}`,
    ])
  })

  const inVain = `[Global]\nfoo = bar\n${ini.slice('[Global]\n'.length)}[Workspace]\nserver = vc-1\n`
  const told =
    'Line 2, column 1: the key "foo" of [Global] is unknown and ignored; it also hides [Workspace] from OpenShift.'

  it.each([
    { what: 'alone', cloudConfig: inVain, messages: [told] },
    {
      what: 'and a section in force that hides it too',
      cloudConfig: `${inVain}[Nodes]\n`,
      messages: [told, expect.stringMatching(/^Line 9, column 1: because of the section \[Nodes\], /)],
    },
  ])('an unknown key beside [Workspace] is told once, $what', async ({ cloudConfig, messages }) => {
    const [result] = await judge(cloudConfigFormat, aWorld({ cloudConfig }))
    const findings = result?.findings.filter(({ reason }) => reason !== 'IniDeprecated') ?? []
    expect(findings.map(({ message }) => message)).toEqual(messages)
    expect(findings[0]?.reason).toBe('WrittenInVain')
  })

  it('does not ask to remove what hides [Workspace]', async () => {
    const [result] = await judge(cloudConfigFormat, aWorld({ cloudConfig: hiding }))
    expect(result?.findings[0]).toMatchObject({
      message:
        'Line 8, column 1: because of the section [Nodes], OpenShift does not treat the file as a legacy configuration and does not see its [Workspace]; declare the failure domains in the Infrastructure object.',
      remedy:
        'Add vcenters and failureDomains to spec.platformSpec.vsphere of Infrastructure/cluster; "vpd config migrate" prints those that the [Workspace] of the cloud config stands for.',
      source: { object: 'cloudConfig', path: [8, 1] },
    })
  })

  it.each([
    { what: 'on plain Kubernetes', infrastructure: absent('No.'), gist: 'warn VCenterGivenTwice' },
    {
      what: 'where Infrastructure has both keys',
      infrastructure: ['a', 'b'],
      gist: 'warn WrittenInVain WrittenInVain VCenterGivenTwice',
    },
    { what: 'where infra-cloud-config tells', infrastructure: ['x'], gist: 'pass' },
  ])('one server in two entries $what: $gist', async ({ infrastructure: given, gist }) => {
    const infrastructure = Array.isArray(given)
      ? { vcenters: given.map((server) => ({ server, datacenters: [] })) }
      : given
    const world = aWorld({ cloudConfig: yamlFor(['a=x', 'b=x']), infrastructure })
    const [line = ''] = await gists(cloudConfigFormat, world)
    expect(line.split(' ').toSorted()).toEqual(`cluster/cluster ${gist}`.split(' ').toSorted())
  })

  it.each([
    { broken: { line: 3, column: 1 }, remedy: /^Correct the cloud config at the place named; / },
    { broken: {}, remedy: /^Correct the cloud config; / },
  ])('points at the place if one is named: $broken', async ({ broken, remedy }) => {
    const world = aWorld({ cloudConfig: { state: 'broken', why: 'It makes no sense.', ...broken } })
    const [result] = await judge(cloudConfigFormat, world)
    expect(result?.findings[0]?.remedy).toMatch(remedy)
  })

  it('names line and column of what is written in vain', async () => {
    const [result] = await judge(cloudConfigFormat, aWorld({ cloudConfig: nearMiss }))
    const line = nearMiss.split('\n').findIndex((text) => text.startsWith('globals')) + 1
    expect(result?.findings[0]?.message).toMatch(new RegExp(`^Line ${line}, column 1: .*globals`))
    expect(result?.findings[0]?.source).toEqual({ object: 'cloudConfig', path: [line, 1] })
  })

  it('does not mind an entry with another server on plain Kubernetes', async () => {
    const world = aWorld({ cloudConfig: yamlFor(['vc-1=other']), infrastructure: absent('No OpenShift.') })
    expect(await gists(cloudConfigFormat, world)).toEqual(['cluster/cluster pass'])
  })

  it('names the object and key to edit', async () => {
    const place = { kind: 'ConfigMap', namespace: 'kube-system', name: 'vsphere-cloud-config', key: 'vsphere.conf' }
    const world = aWorld({ cloudConfig: nearMiss })
    const cloudConfig = { ...world.cloudConfig, place } as typeof world.cloudConfig // of a state that has a place
    const [result] = await judge(cloudConfigFormat, { ...world, cloudConfig })
    expect(result?.findings).toMatchObject([
      {
        remedy:
          'Correct or remove it in ConfigMap kube-system/vsphere-cloud-config, key vsphere.conf; "vpd config show" tells what the cloud provider sees.',
      },
    ])
  })

  it('is silent about INI when told so', async () => {
    const [result] = await judge(cloudConfigFormat, aWorld({ cloudConfig: ini }), { adviseMigration: false })
    expect(result).toMatchObject({ outcome: 'pass', findings: [] })
  })
})
