import { describe, expect, it } from 'vitest'
import { type Check, defineCheck, type Needs } from '../../src/framework/check.ts'
import { unlessOnline } from '../../src/framework/offline.ts'
import { absent, aWorld, down, gist, labelled, resultsOf, unreadable, type VCenterSpec } from '../support/world.ts'
import { fine, raise } from './a-check.ts'

const anything = { title: 'It is seen', help: 'Help.', severity: 'info' } as const

/** Says what it sees of each vCenter that it is given. */
const hostNames = defineCheck({
  ...anything,
  id: 'host-names',
  scope: 'cluster',
  needs: { host: ['name'] },
  *run({ vcenters }) {
    for (const vcenter of vcenters) {
      const names = vcenter.all('host').map((host) => host.name)
      yield { reason: 'Saw', message: `${vcenter.name} (${vcenter.apiVersion}): ${names.join(', ')}` }
    }
  },
})

const hostOfVm = defineCheck({
  ...anything,
  id: 'host-of-vm',
  scope: 'node',
  needs: { vm: ['runtime.host'], host: ['name'] },
  *run({ vm, vcenter }) {
    const host = vm['runtime.host']
    yield { reason: 'Saw', message: host === undefined ? 'no host' : vcenter.get(host).name }
  },
})

const onHost = (id: string) => ({ 'runtime.host': { kind: 'host', id } }) as const

async function messages(check: Check, vcenters: Readonly<Record<string, VCenterSpec>>) {
  const results = await resultsOf(check, aWorld({ vcenters }))
  return results.map(({ outcome, findings, unknowns }) => [outcome, findings.map(({ message }) => message), unknowns])
}

describe('a check of the whole cluster', () => {
  it('sees each vCenter with what is in it', async () => {
    const vcenters = {
      'vc-1': { hosts: [{ name: 'esx-1' }, { name: 'esx-2' }] },
      'vc-2': { hosts: [{ name: 'esx-3' }] },
    }
    expect(await messages(hostNames, vcenters)).toEqual([
      ['pass', ['vc-1 (8.0.3.0): esx-1, esx-2', 'vc-2 (8.0.3.0): esx-3'], []],
    ])
  })

  it('needs a whole picture to pass: a vCenter that is down is noted', async () => {
    expect(await messages(hostNames, { 'vc-1': { hosts: [{ name: 'esx-1' }] }, 'vc-2': down() })).toEqual([
      ['unknown', ['vc-1 (8.0.3.0): esx-1'], ['vc-2 could not be read: It does not answer.']],
    ])
  })

  it('needs a whole picture to pass: an object that may not be read is noted', async () => {
    const hidden = { name: 'esx-2', unreadable: { name: 'No permission.' } }
    expect(await messages(hostNames, { 'vc-1': { hosts: [{ name: 'esx-1' }, hidden] } })).toEqual([
      ['unknown', ['vc-1 (8.0.3.0): esx-1'], ['Cannot read name of HostSystem host-1 in vc-1: No permission.']],
    ])
  })

  it.each<[string, Parameters<typeof aWorld>[0], string]>([
    ['that names none', {}, 'Neither the cloud config nor Infrastructure names one.'],
    ['that is not there', { cloudConfig: absent('It is not in a, nor in b.') }, 'It is not in a, nor in b.'],
    ['that may not be read', { cloudConfig: unreadable('Forbidden.') }, 'Forbidden.'],
    [
      'that may not be read, nor Infrastructure',
      { cloudConfig: unreadable('Forbidden.'), infrastructure: unreadable('Hidden.') },
      'Hidden. Forbidden.',
    ],
    [
      'and Infrastructure that are away alike',
      { cloudConfig: unreadable('Nobody answers.'), infrastructure: unreadable('Nobody answers.') },
      'Nobody answers.',
    ],
  ])('cannot tell where there is no vCenter, but where it looked: a cloud config %s', async (_, world, why) => {
    const [result] = await resultsOf(hostNames, aWorld({ vcenters: {}, ...world }))
    expect(result).toMatchObject({ outcome: 'unknown', unknowns: [`No vCenter is known. ${why}`] })
  })
})

describe('a reference', () => {
  it.each([
    { what: 'is followed', vm: onHost('host-0'), seen: ['pass', ['esx-1'], []] },
    { what: 'may be unset on a healthy object', vm: {}, seen: ['pass', ['no host'], []] },
    {
      what: 'may lead to what we may not see',
      vm: onHost('host-9'),
      seen: ['unknown', [], ['Cannot see HostSystem host-9 in vc-1.']],
    },
    {
      what: 'may itself be hidden, which is not the same as unset',
      vm: { unreadable: { 'runtime.host': 'No permission.' } },
      seen: [
        'unknown',
        [],
        ['Cannot read runtime.host of VirtualMachine n1 (vm-0) of node n1 in vc-1: No permission.'],
      ],
    },
  ])('$what', async ({ vm, seen }) => {
    const vcenters = { 'vc-1': { vms: [{ name: 'n1', ...vm }], hosts: [{ name: 'esx-1' }] } }
    // The framework reads every VM's name, and so a message can give it.
    expect(await messages(hostOfVm, vcenters)).toEqual([seen])
  })

  it('leads to an object of the same vCenter, though another has one of that id', async () => {
    const vcenter = (node: string, host: string) => ({
      vms: [{ name: node, ...onHost('host-0') }],
      hosts: [{ name: host }],
    })
    expect(await messages(hostOfVm, { 'vc-1': vcenter('n1', 'esx-1'), 'vc-2': vcenter('n2', 'esx-2') })).toEqual([
      ['pass', ['esx-1'], []],
      ['pass', ['esx-2'], []],
    ])
  })

  it('to an object whose property is unset, though it should not be, cannot be followed', async () => {
    const version = defineCheck({
      ...anything,
      id: 'version',
      scope: 'node',
      needs: { vm: ['runtime.powerState'] },
      run: () => [],
    })
    expect(await messages(version, { 'vc-1': { vms: [{ name: 'n1' }] } })).toEqual([
      ['unknown', [], ['Cannot read runtime.powerState of VirtualMachine n1 (vm-0) of node n1 in vc-1: It is unset.']],
    ])
  })
})

describe('a check of nodes that asks for no VM', () => {
  const hostsNear = defineCheck({
    ...anything,
    id: 'hosts-near',
    scope: 'node',
    needs: { host: ['name'] },
    *run({ node, vcenter }) {
      const names = vcenter.all('host').map((host) => host.name)
      yield { reason: 'Saw', message: `${node.name}: ${vcenter.name}, ${names.join()}` }
    },
  })

  it('sees the vCenter where the VM was found, or else should be', async () => {
    const vcenters = {
      'vc-1': { vms: [{ name: 'found' }], hosts: [{ name: 'esx-1' }] },
      'vc-2': { hosts: [{ name: 'esx-2' }] },
      'vc-3': down(),
    }
    const world = aWorld({
      vcenters,
      failureDomains: { east: 'vc-1', west: 'vc-2', north: 'vc-3', south: 'vc-9' },
      nodes: [
        { name: 'found', labels: labelled('west') },
        { name: 'expected', labels: labelled('west') },
        { name: 'dark', labels: labelled('north') },
        { name: 'lost', labels: labelled('south') },
        { name: 'nowhere', labels: labelled('elsewhere') },
      ],
    })
    const results = await resultsOf(hostsNear, world)
    expect(results.map(({ findings, unknowns }) => [...findings.map(({ message }) => message), ...unknowns])).toEqual([
      ['found: vc-1, esx-1'],
      ['expected: vc-2, esx-2'],
      ['vc-3 could not be read: It does not answer.'],
      ['vc-9, where node lost should run, is not a vCenter that is known here.'],
      ['Which vCenter node nowhere runs on is not known.'],
    ])
  })
})

describe('a check that is not to be run', () => {
  it.each(['cluster', 'vcenter', 'failureDomain', 'node'] as const)('is skipped on each %s', async (scope) => {
    const check = defineCheck({
      ...anything,
      id: 'lazy',
      scope,
      needs: { vm: ['name'], connection: true },
      run: () => raise(new Error('It was run.')),
    })
    const world = aWorld({
      vcenters: { one: down(), two: down() },
      failureDomains: { one: 'one', two: 'two' },
      nodes: [{ name: 'one' }, { name: 'two' }],
    })
    const subjects = scope === 'cluster' ? ['cluster'] : ['one', 'two']
    expect(await resultsOf(check, world, unlessOnline(check, 'We stay at home.'))).toMatchObject(
      subjects.map((name) => ({
        scope,
        subject: { kind: scope, name },
        outcome: 'skip',
        skippedBecause: 'No vCenter was looked at: We stay at home.',
      })),
    )
  })

  it('is one that needs a vCenter where none is looked at', () => {
    const needing = (needs: Needs) => unlessOnline(fine('any', { needs }), 'Why.')
    expect([{ rest: true }, { connection: true }, { placement: true }].map((needs) => needing(needs as Needs))).toEqual(
      Array(3).fill({ skipBecause: 'No vCenter was looked at: Why.' }),
    )
    expect(needing({ kube: ['nodes'] })).toEqual({})
    expect(unlessOnline(fine('any', { needs: { rest: true } }), undefined)).toEqual({})
  })
})

describe('what a check did not ask for', () => {
  it('it does not see', async () => {
    const seen: unknown[] = []
    const check = defineCheck({
      ...anything,
      id: 'curious',
      scope: 'node',
      needs: { vm: ['config.version'] },
      run({ vm }) {
        seen.push(vm)
        return []
      },
    })
    await resultsOf(check, aWorld({ vcenters: { 'vc-1': { vms: [{ name: 'n1' }] } } }))
    expect(seen).toEqual([{ ref: { kind: 'vm', id: 'vm-0' }, 'config.version': 'vmx-19' }])
  })
})

describe('the subjects of a scope', () => {
  const world = aWorld({
    vcenters: { 'vc-1': { vms: [{ name: 'n1' }] }, 'vc-2': down() },
    failureDomains: { east: 'vc-1', west: 'vc-2', south: 'vc-9' },
    nodes: [{ name: 'n1' }, { name: 'n2', providerID: 'aws:///i-1' }],
  })

  const each = (scope: Check['scope'], needs: Needs) =>
    defineCheck({ ...anything, id: 'each', scope, needs, run: () => [] })

  it.each([
    { scope: 'cluster', blind: ['cluster/cluster pass'], seeing: ['cluster/cluster unknown'] },
    {
      scope: 'vcenter',
      blind: ['vcenter/vc-1 pass', 'vcenter/vc-2 pass'],
      seeing: ['vcenter/vc-1 pass', 'vcenter/vc-2 unknown'],
    },
    {
      scope: 'failureDomain',
      blind: ['failureDomain/east pass', 'failureDomain/west pass', 'failureDomain/south pass'],
      seeing: ['failureDomain/east pass', 'failureDomain/west unknown', 'failureDomain/south unknown'],
    },
    { scope: 'node', blind: ['node/n1 pass', 'node/n2 skip'], seeing: ['node/n1 pass', 'node/n2 skip'] },
  ] as const)('$scope: a check that looks into no vCenter needs none', async ({ scope, blind, seeing }) => {
    expect((await resultsOf(each(scope, {}), world)).map(gist)).toEqual(blind)
    expect((await resultsOf(each(scope, { vm: ['name'] }), world)).map(gist)).toEqual(seeing)
  })

  it('say why they cannot be seen', async () => {
    const results = await resultsOf(each('failureDomain', { cluster: ['name'] }), world)
    expect(results.map(({ unknowns }) => unknowns)).toEqual([
      [],
      ['vc-2 could not be read: It does not answer.'],
      ['vc-9 is not a vCenter that is known here.'],
    ])
  })
})
