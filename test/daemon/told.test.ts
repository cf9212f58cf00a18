import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Told } from '../../src/daemon/told.ts'
import { outcomes, type Result } from '../../src/framework/result.ts'
import { nodeResult } from '../outputs/rounds.ts'

const finding = fc.record({
  reason: fc.stringMatching(/^[A-Z][A-Za-z]{0,12}$/),
  severity: fc.constantFrom('error', 'warning', 'info'),
  message: fc.constant('It is so.'),
})
const result: fc.Arbitrary<Result> = fc
  .record({
    check: fc.stringMatching(/^[a-z][a-z-]{0,12}$/),
    name: fc.string(),
    outcome: fc.constantFrom(...outcomes),
    findings: fc.array(finding, { maxLength: 3 }),
    isSuppressed: fc.boolean(),
  })
  .map(({ check, name, outcome, findings, isSuppressed }) =>
    nodeResult(name, { check, outcome, findings, ...(isSuppressed ? { suppressed: { reason: 'known' } } : {}) }),
  )

function toldOfAll(results: readonly Result[]): Told {
  const told = new Told()
  for (const one of results) told.set(one)
  return told
}

describe('what was told', () => {
  it('is the same after it was packed and unpacked', () => {
    fc.assert(
      fc.property(fc.array(result), (results) => {
        const told = toldOfAll(results)
        const again = Told.unpack(told.pack())
        for (const one of results) expect(again?.last(one)).toEqual(told.last(one))
        expect(again?.isChanged).toBe(false)
      }),
    )
  })

  it('does not come out of anything else', () => {
    const others = [
      Buffer.from(''),
      Buffer.from('{}'),
      gzipSync('{}'),
      gzipSync('nonsense'),
      gzipSync('{"version":2,"told":[]}'),
      gzipSync('{"version":1,"told":[[["splendid"],["a b"]]]}'),
      toldOfAll([nodeResult('n1')])
        .pack()
        .subarray(0, 30),
    ]
    expect(others.map((bytes) => Told.unpack(bytes))).toEqual(others.map(() => undefined))
  })

  it('is changed by what is new, and not by what is the same', () => {
    const told = toldOfAll([nodeResult('n1')])
    expect(told.isChanged).toBe(true)
    told.kept()
    told.set(nodeResult('n1', { checkedAt: 'later' }))
    expect(told.isChanged).toBe(false)
    told.set(nodeResult('n1', { outcome: 'unknown' }))
    expect(told.isChanged).toBe(true)
  })

  it('is forgotten of subjects that are gone, and not of checks that did not run', () => {
    const [here, gone, other] = [nodeResult('n1'), nodeResult('n2'), nodeResult('n3', { check: 'other' })]
    const told = toldOfAll([here, gone, other])
    told.kept()
    told.keepOnly([here], new Set(['tidy']))
    expect([here, gone, other].map((one) => told.last(one)?.outcome)).toEqual(['pass', undefined, 'pass'])
    expect(told.isChanged).toBe(true)
  })

  it('of a large cluster fits into a ConfigMap', () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `worker-${((i * 7_919) % 46_655).toString(36)}.example.com`)
    const checks = Array.from({ length: 20 }, (_, i) => `check-${i}`)
    const told = toldOfAll(checks.flatMap((check) => names.map((name) => nodeResult(name, { check }))))
    expect(told.pack().toString('base64').length).toBeLessThan(1_000_000)
  })
})
