import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { swapUuid, uuidOf } from '../../src/framework/uuid.ts'

const uuids = fc.uuid()

describe('the UUID in a text', () => {
  it.each([
    ['4230f0e1-5d00-4c8a-9b7e-0242ac120000', '4230f0e1-5d00-4c8a-9b7e-0242ac120000'],
    ['vsphere://4230f0e1-5d00-4c8a-9b7e-0242ac120000', '4230f0e1-5d00-4c8a-9b7e-0242ac120000'],
    ['VSPHERE://4230F0E1-5D00-4C8A-9B7E-0242AC120000', '4230f0e1-5d00-4c8a-9b7e-0242ac120000'],
    [' 4230f0e1-5d00-4c8a-9b7e-0242ac120000\n', '4230f0e1-5d00-4c8a-9b7e-0242ac120000'],
    ['', undefined],
    [undefined, undefined],
    ['vsphere://', undefined],
    ['vsphere:///dc/vm/n1', undefined],
    ['aws:///eu-central-1a/i-0abc', undefined],
    ['4230f0e15d004c8a9b7e0242ac120000', undefined],
    ['4230f0e1-5d00-4c8a-9b7e-0242ac12000', undefined],
    ['4230f0e1-5d00-4c8a-9b7e-0242ac1200000', undefined],
    ['4230f0e1-5d00-4c8a-9b7e-0242ac12000g', undefined],
  ])('%j is %j', (text, uuid) => {
    expect(uuidOf(text)).toBe(uuid)
  })

  it('is found in any case and with or without the scheme', () => {
    fc.assert(
      fc.property(uuids, fc.constantFrom('', 'vsphere://', 'VSphere://'), fc.boolean(), (uuid, scheme, shout) => {
        expect(uuidOf(scheme + (shout ? uuid.toUpperCase() : uuid))).toBe(uuid)
      }),
    )
  })

  it('is one, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(uuidOf(text) ?? '00000000-0000-0000-0000-000000000000').toMatch(
          /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        )
      }),
    )
  })
})

describe('the byte-swapped UUID', () => {
  it('has the first three groups reversed by bytes', () => {
    expect(swapUuid('00112233-4455-6677-8899-aabbccddeeff')).toBe('33221100-5544-7766-8899-aabbccddeeff')
  })

  it('is a UUID, and swapped again it is the first', () => {
    fc.assert(
      fc.property(uuids, (uuid) => {
        expect(uuidOf(swapUuid(uuid))).toBe(swapUuid(uuid))
        expect(swapUuid(swapUuid(uuid))).toBe(uuid)
      }),
    )
  })
})
