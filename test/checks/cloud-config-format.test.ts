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
