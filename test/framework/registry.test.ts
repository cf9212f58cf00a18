import { describe, expect, it } from 'vitest'
import { type Check, gauge } from '../../src/framework/check.ts'
import { RegistryError, registryOf } from '../../src/framework/registry.ts'
import { kinds } from '../../src/framework/vsphere-schema.ts'
import { fine } from './a-check.ts'

const from = './mine.js'
const knownNeeds = [
  ...Object.keys(kinds),
  ...[
    'kube',
    'kubeIfThere',
    'paths',
    'cloudConfig',
    'csiConfig',
    'credentials',
    'connection',
    'placement',
    'policies',
    'tasks',
    'rest',
  ],
].join(', ')

function refusal(...checks: readonly unknown[]): string {
  try {
    registryOf([{ from, checks: checks as Check[] }]) // as a plugin hands them over
  } catch (error) {
    if (error instanceof RegistryError) return error.message
    throw error
  }
  throw new Error('the checks were accepted')
}

/** What a plain JavaScript plugin may hand over, laid over a check that is in order. */
const flaws: readonly (readonly [given: object, says: string])[] = [
  [{ id: 'Mine' }, 'check Mine needs a kebab-case id.'],
  [{ id: 'my check' }, 'check my check needs a kebab-case id.'],
  [{ id: 'mine-' }, 'check mine- needs a kebab-case id.'],
  [{ id: 5 }, 'check 5 needs a kebab-case id.'],
  [{ id: undefined }, 'check undefined needs a kebab-case id.'],
  [{ title: '' }, 'check mine needs a title.'],
  [{ title: undefined }, 'check mine needs a title.'],
  [{ help: ' ' }, 'check mine needs a help text.'],
  [{ scope: 'host' }, 'check mine has scope host; it must be one of cluster, vcenter, failureDomain, node.'],
  [{ severity: 'fatal' }, 'check mine has severity fatal; it must be one of info, warning, error.'],
  [{ run: undefined }, 'check mine has no run function.'],
  [{ dependsOn: 'other' }, 'check mine has dependsOn that is no list of check ids.'],
  [{ dependsOn: undefined }, 'check mine has dependsOn that is no list of check ids.'],
  [{ dependsOn: [5] }, 'check mine has dependsOn that is no list of check ids.'],
  [{ needs: undefined }, 'check mine does not say what it needs.'],
  [{ needs: null }, 'check mine does not say what it needs.'],
  [{ needs: ['vm'] }, 'check mine does not say what it needs.'],
  [{ needs: { vm: 'name' } }, 'check mine has needs.vm that is no list.'],
  [{ needs: { kube: true } }, 'check mine has needs.kube that is no list.'],
  [{ needs: { kubeIfThere: true } }, 'check mine has needs.kubeIfThere that is no list.'],
  [{ needs: { vms: ['name'] } }, `check mine needs vms; known are ${knownNeeds}.`],
  [{ needs: { toString: [] } }, `check mine needs toString; known are ${knownNeeds}.`],
  [
    { needs: { vm: ['config.hwVersion'] } },
    'check mine needs config.hwVersion of vm, a property that is not in the schema.',
  ],
  [{ needs: { vm: ['constructor'] } }, 'check mine needs constructor of vm, a property that is not in the schema.'],
  [{ needs: { vm: ['$policies'] } }, 'check mine needs $policies of vm, a property that is not in the schema.'],
  [{ needs: { host: ['$latency'] } }, 'check mine needs $latency of host, a property that is not in the schema.'],
  [{ needs: { policies: [] } }, 'check mine has needs.policies that is not true.'],
  [{ needs: { tasks: 'recent' } }, 'check mine has needs.tasks that is not true.'],
  [{ needs: { paths: ['/dc'] } }, 'check mine has needs.paths that is no function of a failure domain.'],
  [{ needs: { rest: 'yes' } }, 'check mine has needs.rest that is not true.'],
  [
    { needs: { cloudConfig: false } },
    'check mine has needs.cloudConfig that is not true or even-if-broken or if-there.',
  ],
  [{ options: 5 }, 'check mine has options that are no object.'],
  [
    { options: { at: {} } },
    'check mine has option at, whose default is no text, number, true, false or list of texts.',
  ],
  [
    { options: { at: [5] } },
    'check mine has option at, whose default is no text, number, true, false or list of texts.',
  ],
  [
    { options: { at: Number.NaN } },
    'check mine has option at, whose default is no text, number, true, false or list of texts.',
  ],
  [{ metrics: 'things' }, 'check mine has metrics that are no list of gauges; make them with gauge().'],
  [{ metrics: ['things'] }, 'check mine has metrics that are no list of gauges; make them with gauge().'],
  [
    { metrics: [gauge('my things', { help: 'Things.', labels: [] })] },
    'check mine has metric my things, which is no Prometheus name.',
  ],
  [{ metrics: [gauge('things', { help: '', labels: [] })] }, 'check mine has metric things without a help text.'],
  [
    { metrics: [gauge('things', { help: 'Things.', labels: ['my-label'] })] },
    'check mine has metric things with label my-label, which is no Prometheus label name.',
  ],
  [
    { metrics: [gauge('things', { help: 'Things.', labels: ['__name__'] })] },
    'check mine has metric things with label __name__; Prometheus keeps names that begin with __ to itself.',
  ],
]

describe('the registry', () => {
  it('puts checks in the order of their ids, wherever they come from', () => {
    const origins = [
      { from: 'here', checks: [fine('b'), fine('d')] },
      { from, checks: [fine('c', { dependsOn: ['d'] }), fine('a')] },
    ]
    expect(registryOf(origins).map((check) => check.id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it.each(flaws)('refuses %o', (given, says) => {
    expect(refusal({ ...fine('mine'), ...given })).toBe(`${from}: ${says}`)
  })

  it.each([
    [{ ...fine('mine') }.id, 'check undefined was not made with defineCheck.'],
    [null, 'check undefined was not made with defineCheck.'],
    [{ id: 'mine', run: () => [] }, 'check mine was not made with defineCheck.'],
  ])('refuses what is no check: %o', (given, says) => {
    expect(refusal(given)).toBe(`${from}: ${says}`)
  })

  it.each([
    { options: { a: 'text', b: 5, c: false, d: [], e: ['x'] } },
    { needs: { vm: ['name'], host: [], kube: ['nodes'], cloudConfig: true, rest: true } as const },
    {
      needs: {
        vm: ['$latency'],
        folder: ['$privileges', '$tags'],
        policies: true,
        tasks: true,
        paths: () => [],
      } as const,
    },
    { metrics: [gauge('a:things_2', { help: 'Things.', labels: ['_x'] })] },
    { id: 'a1-2b' },
  ])('takes %o', (given) => {
    expect(registryOf([{ from, checks: [fine('mine', given)] }])).toHaveLength(1)
  })

  it('refuses a Kubernetes object that is not read, and names those that are', () => {
    expect(refusal({ ...fine('mine'), needs: { kube: ['nodes', 'pods'] } })).toMatch(
      /^\.\/mine\.js: check mine needs Kubernetes objects pods; known are nodes, infrastructure\b/,
    )
  })

  it('refuses two checks of one id, and names both places', () => {
    const origins = [
      { from: 'the detector', checks: [fine('twin')] },
      { from: 'plugin ./mine.js', checks: [fine('twin')] },
    ]
    expect(() => registryOf(origins)).toThrow(
      new RegistryError(
        'Two checks are called twin: one from the detector, one from plugin ./mine.js. Rename one of them.',
      ),
    )
  })

  it('refuses a check that depends on none', () => {
    expect(refusal(fine('mine', { dependsOn: ['nobody'] }))).toBe(
      './mine.js: check mine depends on nobody, which does not exist.',
    )
  })

  it.each([
    [[fine('a', { dependsOn: ['a'] })], 'Checks depend on each other in a circle: a → a.'],
    [
      [fine('a', { dependsOn: ['b'] }), fine('b', { dependsOn: ['c'] }), fine('c', { dependsOn: ['a'] })],
      'Checks depend on each other in a circle: a → b → c → a.',
    ],
  ])('refuses a circle', (checks, says) => {
    expect(refusal(...checks)).toBe(says)
  })

  const things = (...labels: string[]) => ({ metrics: [gauge('things', { help: 'Things.', labels })] })

  it('lets two checks add to one gauge, but not to two of one name', () => {
    expect(registryOf([{ from, checks: [fine('a', things('x', 'y')), fine('b', things('y', 'x'))] }])).toHaveLength(2)
    expect(refusal(fine('a', things('x')), fine('b', things()))).toBe(
      'Checks a (x) and b (no labels) give metric things different labels. Rename it in one of them.',
    )
  })
})
