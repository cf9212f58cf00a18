import { describe, expect, it } from 'vitest'
import { vcenterInUse } from '../../checks/vcenter-in-use.ts'
import { absent, aWorld, down, unreadable } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const two = { 'vc-1': {}, 'vc-2': {} }
const ini = '[Global]\nuser = u\npassword = p\n[VirtualCenter "vc-1"]\n[VirtualCenter "vc-2"]\n'

describe('vcenter-in-use', () => {
  it.each([
    { what: 'each has a failure domain', failureDomains: { east: 'vc-1', west: 'vc-2' }, gists: ['pass', 'pass'] },
    { what: 'the second has none', failureDomains: { east: 'vc-1' }, gists: ['pass', 'fail VCenterUnused'] },
    {
      what: 'one differs in case, which failure-domain-vcenters reports',
      failureDomains: { east: 'VC-1', west: 'vc-2' },
      gists: ['pass', 'pass'],
    },
  ])('$what', async ({ failureDomains, gists: [first, second] }) => {
    expect(await gists(vcenterInUse, aWorld({ vcenters: two, failureDomains }))).toEqual([
      `vcenter/vc-1 ${first}`,
      `vcenter/vc-2 ${second}`,
    ])
  })

  it('is not meant by a failure domain of another one whose name differs in case', async () => {
    const vcenters = { 'vc-1': {}, 'VC-1': {} }
    expect(await gists(vcenterInUse, aWorld({ vcenters, failureDomains: { east: 'VC-1' } }))).toEqual([
      'vcenter/vc-1 fail VCenterUnused',
      'vcenter/VC-1 pass',
    ])
  })

  it.each([
    { what: 'an INI file', world: aWorld({ vcenters: two, failureDomains: { east: 'vc-1' }, cloudConfig: ini }) },
    {
      what: 'a vCenter that is down',
      world: aWorld({ vcenters: { ...two, 'vc-2': down() }, failureDomains: { east: 'vc-1' } }),
    },
  ])('says the same with $what', async ({ world }) => {
    expect(await gists(vcenterInUse, world)).toEqual(['vcenter/vc-1 pass', 'vcenter/vc-2 fail VCenterUnused'])
  })

  it('names the vCenter and the failure domains that there are', async () => {
    const world = aWorld({ vcenters: two, failureDomains: { east: 'vc-1', west: 'vc-1' } })
    expect((await judge(vcenterInUse, world))[1]?.findings).toMatchObject([
      {
        reason: 'VCenterUnused',
        severity: 'error',
        message: 'No failure domain names vc-2. The failure domains are east (vc-1), west (vc-1).',
        remedy: 'Add a failure domain for vc-2 to Infrastructure/cluster, or remove vc-2 from its vcenters.',
      },
    ])
  })

  it.each([
    {
      what: 'no failure domains',
      world: aWorld(),
      verdict: { outcome: 'skip', skippedBecause: 'The Infrastructure object has no failure domains.' },
    },
    {
      what: 'a vCenter that only the cloud config has',
      world: aWorld({ failureDomains: { east: 'vc-1' }, infrastructure: { vcenters: [] } }),
      verdict: { outcome: 'skip', skippedBecause: 'The Infrastructure object does not list this vCenter.' },
    },
    {
      what: 'no Infrastructure object, as on plain Kubernetes',
      world: aWorld({ infrastructure: absent('There is no Infrastructure object.') }),
      verdict: { outcome: 'skip', skippedBecause: 'There is no Infrastructure object.' },
    },
    {
      what: 'neither an Infrastructure object nor a vCenter',
      world: aWorld({ vcenters: {}, infrastructure: absent('There is no Infrastructure object.') }),
      verdict: { outcome: 'skip', skippedBecause: 'There is no Infrastructure object.' },
    },
    {
      what: 'an Infrastructure object that may not be read, and no vCenter',
      world: aWorld({ vcenters: {}, infrastructure: unreadable('Forbidden.') }),
      verdict: {
        outcome: 'unknown',
        unknowns: ['No vCenter is known. Forbidden. Neither the cloud config nor Infrastructure names one.'],
      },
    },
    {
      what: 'an Infrastructure object that may not be read',
      world: aWorld({ infrastructure: unreadable('Forbidden.') }),
      verdict: { outcome: 'unknown', unknowns: ['Forbidden.'] },
    },
    {
      what: 'no vCenter at all',
      world: aWorld({ vcenters: {} }),
      verdict: {
        outcome: 'unknown',
        unknowns: ['No vCenter is known. Neither the cloud config nor Infrastructure names one.'],
      },
    },
  ])('$what: $verdict.outcome', async ({ world, verdict }) => {
    expect(await judge(vcenterInUse, world)).toMatchObject([verdict])
  })
})
