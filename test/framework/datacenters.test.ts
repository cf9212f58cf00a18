import { expect, it } from 'vitest'
import { isSameDatacenter } from '../../src/framework/datacenters.ts'

it.each([
  ['DC0', 'DC0', true],
  ['DC0', 'dc0', false],
  ['DC0', 'DC1', false],
  ['DC0', '/folder/DC0', true],
  ['DC0', '/DC0', true],
  [' DC0', '/folder/DC0/', true],
  ['/folder/DC0', 'folder/DC0', true],
  ['/a/DC0', '/b/DC0', false],
  ['/a/DC0', '/a/DC0/DC1', false],
  ['C0', '/folder/DC0', false],
  ['', '', false],
  ['', 'DC0', false],
  ['/', '/', false],
])('%j and %j: %j', (one, other, same) => {
  expect([isSameDatacenter(one, other), isSameDatacenter(other, one)]).toEqual([same, same])
})
