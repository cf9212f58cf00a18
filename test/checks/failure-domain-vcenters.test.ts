import { describe, expect, it } from 'vitest'
import { failureDomainVcenters } from '../../checks/failure-domain-vcenters.ts'
import { absent, aWorld, unreadable } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const two = { 'vc-1': {}, 'vc-2': {} }

describe('failure-domain-vcenters', () => {
  it.each([
    { what: 'both known', failureDomains: { east: 'vc-1', west: 'vc-2' }, gists: ['east pass', 'west pass'] },
    { what: 'both in one vCenter', failureDomains: { east: 'vc-1', west: 'vc-1' }, gists: ['east pass', 'west pass'] },
    {
      what: 'one that names an unknown server',
      failureDomains: { east: 'vc-1', west: 'vc-9' },
      gists: ['east pass', 'west fail UnknownVCenter'],
    },
    {
      what: 'one whose server differs in case',
      failureDomains: { east: 'VC-1' },
      gists: ['east fail UnknownVCenter'],
    },
    { what: 'one without a server', failureDomains: { east: '' }, gists: ['east fail UnknownVCenter'] },
  ])('$what', async ({ failureDomains, gists: expected }) => {
    const world = aWorld({ vcenters: two, failureDomains })
    expect(await gists(failureDomainVcenters, world)).toEqual(expected.map((gist) => `failureDomain/${gist}`))
  })

  it('names the failure domain, the server and the known list', async () => {
    const world = aWorld({ vcenters: two, failureDomains: { south: 'vc-9' } })
    expect(await judge(failureDomainVcenters, world)).toMatchObject([
      {
        failureDomain: 'south',
        vcenter: 'vc-9',
        findings: [
          {
            severity: 'error',
            message: 'Failure domain south names the server vc-9; the known vCenters are vc-1, vc-2.',
            remedy:
              'Correct the server of failure domain south in Infrastructure/cluster, or add vc-9 to its vcenters.',
          },
        ],
      },
    ])
  })

  it('says how to write a name that only differs in case', async () => {
    const world = aWorld({ vcenters: two, failureDomains: { south: 'VC-2' } })
    expect(await judge(failureDomainVcenters, world)).toMatchObject([
      {
        findings: [
          { remedy: 'Write vc-2 in failure domain south of Infrastructure/cluster; upper and lower case count.' },
        ],
      },
    ])
  })

  it.each([
    { server: 'vc-1', gist: 'pass' },
    { server: 'vc-9', gist: 'fail UnknownVCenter' },
  ])('goes by the vCenters of the cloud config where Infrastructure lists none: $server', async ({ server, gist }) => {
    const bare = aWorld({ vcenters: two, failureDomains: { east: server }, infrastructure: { vcenters: [] } })
    expect(await gists(failureDomainVcenters, bare)).toEqual([`failureDomain/east ${gist}`])
  })

  it.each([
    {
      what: 'no failure domains',
      world: aWorld(),
      verdict: { outcome: 'skip', skippedBecause: 'The Infrastructure object has no failure domains.' },
    },
    {
      what: 'no Infrastructure object, as on plain Kubernetes',
      world: aWorld({ infrastructure: absent('There is no Infrastructure object.') }),
      verdict: { outcome: 'skip', skippedBecause: 'There is no Infrastructure object.' },
    },
    {
      what: 'an Infrastructure object that may not be read',
      world: aWorld({ infrastructure: unreadable('Forbidden.') }),
      verdict: { outcome: 'unknown', unknowns: ['Forbidden.'] },
    },
  ])('$what: $verdict.outcome', async ({ world, verdict }) => {
    expect(await judge(failureDomainVcenters, world)).toMatchObject([
      { subject: { kind: 'cluster', name: 'cluster' }, ...verdict },
    ])
  })
})
