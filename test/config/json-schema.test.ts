import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingsJsonSchema } from '../../src/config/index.ts'

// Formats come with patterns that say the same, so they need no second judge.
const ajv = new Ajv2020({ allErrors: true, validateFormats: false })
const accepts = ajv.compile(settingsJsonSchema())

test.each([
  '{}',
  'source: demo',
  'source: { directory: ./x }',
  'source: kubernetes',
  'source: { kubernetes: { context: admin, credentials: kube-system/vsphere-creds } }',
  'http: { tls: { certFile: a, keyFile: b }, auth: none }',
  'checks: { a: { options: { b: 1, c: x, d: true, e: [x] } } }',
  'suppressions: [{ check: a, object: b, reason: c, until: 2026-12-31 }]',
  "suppressions: [{ check: a, object: b, reason: c, until: '2026-12-31T10:00:00Z' }]",
])('the JSON Schema accepts %s', (yaml) => {
  expect(accepts(parse(yaml))).toBe(true)
})

test.each([
  '[]',
  'htpp: {}',
  'source: dmo',
  'source: { dir: x }',
  'source: { directory: " " }',
  'source: { directory: x, kubernetes: {} }',
  'source: { kubernetes: { credentials: vsphere-creds } }',
  'http: { tls: { certFile: a } }',
  'http: { port: 65536 }',
  'http: { port: "80" }',
  'http:',
  'log: { level: loud }',
  'timeouts: { callSeconds: 0 }',
  'vsphere: { maxConcurrentCalls: 1.5 }',
  'checks: { a: { severity: high } }',
  'checks: { a: { options: { b: { c: 1 } } } }',
  'suppressions: [{ check: a, object: b }]',
  'suppressions: [{ check: a, object: b, reason: c, until: 2027-02-29 }]',
  'suppressions: [{ check: a, object: b, reason: c, until: 2027-02-28T10:00:00 }]',
  'plugins: [7]',
])('the JSON Schema refuses %s', (yaml) => {
  expect(accepts(parse(yaml))).toBe(false)
})

test('every key is described', () => {
  const bare: string[] = []
  const look = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, inner] of Object.entries(schema)) {
      if (key !== 'properties') look(inner, name)
      else {
        for (const [property, described] of Object.entries(inner)) {
          if (!Reflect.get(Object(described), 'description')) bare.push(`${name}.${property}`)
          look(described, `${name}.${property}`)
        }
      }
    }
  }
  look(settingsJsonSchema(), '')
  expect(bare).toEqual([])
})
