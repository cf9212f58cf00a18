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

  it('is silent about INI when told so', async () => {
    const [result] = await judge(cloudConfigFormat, aWorld({ cloudConfig: ini }), { adviseMigration: false })
    expect(result).toMatchObject({ outcome: 'pass', findings: [] })
  })
})
