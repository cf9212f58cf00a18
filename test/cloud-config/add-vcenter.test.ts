import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addVCenter, readCloudConfig, writeCpiYaml } from '../../src/cloud-config/index.ts'
import { hostile } from './hostile.ts'

const NEW = { server: 'new.example.com', datacenters: ['DC 1'], port: '8443' }
const BLOCK = `  "new.example.com":
    server: "new.example.com"
    port: 8443
    datacenters:
      - "DC 1"
`
const FLOW = '"new.example.com": {"server": "new.example.com", "port": 8443, "datacenters": ["DC 1"]}'

describe('a vCenter is added', () => {
  it.each([
    [
      'at the end',
      'global: {user: u, password: p}\nvcenter:\n  a: # first\n    server: a\n',
      (text: string) => text + BLOCK,
    ],
    [
      'without a final line break',
      'global: {user: u, password: p}\nvcenter:\n  a:\n    server: a',
      (text: string) => `${text}\n${BLOCK}`,
    ],
    [
      'before other keys and their comments',
      'vcenter:\n  a:\n    server: a\n\n# who\nglobal:\n  user: u # it is u\n  password: p\n',
      (text: string) => text.replace('server: a\n', `server: a\n${BLOCK}`),
    ],
    [
      'after a block scalar',
      'global: {user: u, password: p}\nvcenter:\n  a:\n    server: a\n    thumbprint: |\n      # x\nlabels: {}\n',
      (text: string) => text.replace('labels', `${BLOCK}labels`),
    ],
    [
      'between braces',
      'global: {user: u, password: p}\nvcenter: {a: {server: a} }\n',
      (text: string) => text.replace('} }', `}, ${FLOW} }`),
    ],
    [
      'beside global.server',
      'global: {user: u, password: p, server: s}\n',
      (text: string) => `${text}vcenter:\n${BLOCK}`,
    ],
    [
      'to JSON',
      '{"global": {"user": "u", "password": "p", "server": "s"}}',
      (text: string) => `${text.slice(0, -1)}, "vcenter": {${FLOW}}}`,
    ],
    [
      'before a second document',
      'global: {user: u, password: p}\nvcenter:\n  a:\n    server: a\n---\nx: y\n',
      (text: string) => text.replace('---', `${BLOCK}---`),
    ],
  ])('%s', (_, text, expected) => {
    expect(addVCenter(text, NEW)).toBe(expected(text))
  })

  it('to any configuration of ours, whatever its names', () => {
    const name = hostile.filter((text) => text !== '')
    fc.assert(
      fc.property(name, name, fc.array(hostile, { maxLength: 2 }), (old, added, datacenters) => {
        fc.pre(old !== added)
        const text = writeCpiYaml({ global: { user: 'u', password: 'p' }, vcenters: new Map([[old, { server: old }]]) })
        const { vcenters } = readCloudConfig(addVCenter(text, { server: added, datacenters }))
        expect([...vcenters.keys()]).toEqual([old, added])
        expect(vcenters.get(added)).toMatchObject({ server: added, datacentersRaw: datacenters.join(',') })
      }),
    )
  })
})

describe('no vCenter is added', () => {
  it.each([
    [
      'that is there',
      'global: {user: u, password: p}\nvcenter:\n  new.example.com:\n    server: x\n',
      'the vCenter "new.example.com" is there already',
    ],
    [
      'to INI',
      '[Global]\nuser = u\npassword = p\n[VirtualCenter "a"]\n',
      'the configuration is INI; migrate it to YAML before adding a vCenter',
    ],
    [
      'to an alias',
      'x: &x {a: {server: a}}\nglobal: {user: u, password: p}\nvcenter: *x\n',
      'there is no place for a vCenter in this text; add it under vcenter by hand',
    ],
  ])('%s', (_, text, message) => {
    expect(() => addVCenter(text, NEW)).toThrow(expect.objectContaining({ reason: 'unwritable', message }))
  })
})
