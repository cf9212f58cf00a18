import { describe, expect, it } from 'vitest'
import type { Check } from '../../src/framework/check.ts'
import { deepFreeze } from '../../src/framework/freeze.ts'
import { aWorld, run } from '../support/world.ts'
import { aCheck, sync } from './a-check.ts'

const refused = 'The context of a round cannot be changed.'

describe('a frozen value', () => {
  it.each([
    { what: 'an object', change: () => Object.assign(deepFreeze({ a: 1 }), { a: 2 }), says: 'read only property' },
    { what: 'a new key', change: () => Object.assign(deepFreeze({}), { a: 2 }), says: 'not extensible' },
    {
      what: 'an object inside',
      change: () => Object.assign(deepFreeze({ a: { b: 1 } }).a, { b: 2 }),
      says: 'read only',
    },
    { what: 'a list', change: () => deepFreeze([1]).push(2), says: 'not extensible' },
    { what: 'a list inside', change: () => deepFreeze({ a: [[1]] }).a[0]?.push(2), says: 'not extensible' },
    { what: 'the set of a map', change: () => deepFreeze(new Map([[1, 1]])).set(1, 2), says: refused },
    { what: 'the delete of a map', change: () => deepFreeze(new Map([[1, 1]])).delete(1), says: refused },
    { what: 'the clear of a map', change: () => deepFreeze(new Map([[1, 1]])).clear(), says: refused },
    {
      what: 'a value of a map',
      change: () =>
        deepFreeze(new Map([[1, [1]]]))
          .get(1)
          ?.push(2),
      says: 'not extensible',
    },
    {
      what: 'a key of a map',
      change: () => [...deepFreeze(new Map([[[1], 1]])).keys()][0]?.push(2),
      says: 'not extensible',
    },
    { what: 'the add of a set', change: () => deepFreeze(new Set([1])).add(2), says: refused },
    { what: 'the delete of a set', change: () => deepFreeze(new Set([1])).delete(1), says: refused },
    { what: 'a member of a set', change: () => [...deepFreeze(new Set([[1]]))][0]?.push(2), says: 'not extensible' },
    { what: 'a date', change: () => deepFreeze({ at: new Date(0) }).at.setTime(5), says: refused },
    { what: 'the year of a date', change: () => deepFreeze(new Date(0)).setUTCFullYear(1999), says: refused },
    {
      what: 'inside what was frozen before',
      change: () => deepFreeze(Object.freeze({ a: [1] })).a.push(2),
      says: 'not extensible',
    },
  ])('refuses a change of $what', ({ change, says }) => {
    expect(change).toThrow(TypeError)
    expect(change).toThrow(says)
  })

  it('is the same value, and reads as before', () => {
    const value = { at: new Date(5), list: [1, 2], map: new Map([['a', new Set([1])]]), text: 'x', nothing: null }
    expect(deepFreeze(value)).toBe(value)
    expect(value).toEqual({
      at: new Date(5),
      list: [1, 2],
      map: new Map([['a', new Set([1])]]),
      text: 'x',
      nothing: null,
    })
    expect(value.at.toISOString()).toBe('1970-01-01T00:00:00.005Z')
  })

  it('may contain itself', () => {
    const value: Record<string, unknown> = { list: [] }
    value['self'] = value
    expect(Object.isFrozen(deepFreeze(value))).toBe(true)
  })
})

interface Everything {
  readonly kube: { readonly nodes: { labels: Record<string, string> }[] }
  readonly cloudConfig: { readonly vcenters: Map<string, unknown> }
  readonly options: { names: string[] }
  readonly now: Date
  readonly node: { labels: Record<string, string> }
  readonly placement: { readonly found: unknown[]; readonly expected: { vcenter?: string } }
  readonly vm: { readonly 'runtime.host': { id: string } }
}

describe('a check that changes', () => {
  const needs: Check['needs'] = { kube: ['nodes'], cloudConfig: true, vm: ['runtime.host'] }
  const world = aWorld({
    vcenters: { 'vc-1': { vms: [{ 'name': 'n1', 'runtime.host': { kind: 'host', id: 'host-0' } }] } },
  })

  it.each<readonly [string, (context: Everything) => unknown]>([
    ['a label of its node', ({ node }) => Object.assign(node.labels, { a: 'b' })],
    ['the list of nodes', ({ kube }) => kube.nodes.pop()],
    ['the cloud config', ({ cloudConfig }) => cloudConfig.vcenters.clear()],
    ['where the VM was found', ({ placement }) => placement.found.pop()],
    ['where the VM is expected', ({ placement }) => Object.assign(placement.expected, { vcenter: 'vc-9' })],
    ['a property of the VM', ({ vm }) => Object.assign(vm['runtime.host'], { id: 'host-9' })],
    ['the time', ({ now }) => now.setTime(0)],
    ['an option', ({ options }) => Object.assign(options, { names: [] })],
    ['a list among its options', ({ options }) => options.names.pop()],
  ])('%s gets an error, and the next one sees what it would have seen', async (_, change) => {
    const seen: string[] = []
    const observer = (id: string) =>
      aCheck(
        id,
        (context) => {
          seen.push(JSON.stringify(context))
          return []
        },
        { scope: 'node', needs, options: { names: ['a'] } },
      )
    const meddler = aCheck('meddler', sync(change), { scope: 'node', needs, options: { names: ['a'] } })
    const runs = await run([observer('before'), meddler, observer('after')], world)

    expect(runs[1]).toMatchObject({
      results: [
        {
          outcome: 'unknown',
          unknowns: [expect.stringMatching(/^The check itself failed: .*(change|read only|extensible|delete)/)],
        },
      ],
    })
    expect(seen).toHaveLength(2)
    expect(seen[1]).toBe(seen[0])
  })
})
