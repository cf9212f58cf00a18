import { describe, expect, test } from 'vitest'
import { allowsCheckNow, authOf, problemText, servingProblems } from '../../src/config/index.ts'
import { load } from './support.ts'

const problems = (yaml: string) =>
  servingProblems(load({ yaml })).map((problem) => problemText(problem).replace(/^\S*\/config/, 'config'))

const open = (host: string) =>
  `default http.auth: is not set, and whoever reaches ${host} could read every result; set it to none if that is meant, or listen on 127.0.0.1`
const needsCluster = 'needs the API server of a live cluster; set source to kubernetes'

describe('settings that a daemon can run with', () => {
  test.each([
    'source: demo',
    'source: demo\nhttp: { host: 127.1.2.3 }',
    "source: demo\nhttp: { host: '::1' }",
    'source: demo\nhttp: { host: localhost }',
    'source: { directory: x }\nhttp: { host: 0.0.0.0, auth: none }',
    'source: kubernetes\nhttp: { host: 0.0.0.0 }\nleaderElection: { enabled: true }\nevents: { enabled: true }',
    "source: { kubernetes: {} }\nhttp: { host: '::', auth: none }",
    'source: kubernetes\nhttp: { auth: kubernetes }',
  ])('%j', (yaml) => {
    expect(problems(yaml)).toEqual([])
  })
})

describe('settings that it cannot run with', () => {
  test.each([
    ['source: demo\nhttp: { host: 0.0.0.0 }', open('0.0.0.0')],
    ["source: { directory: x }\nhttp: { host: '::' }", open('::')],
    ['source: demo\nhttp: { host: vpd.example }', open('vpd.example')],
    [
      'source: demo\nhttp: { auth: kubernetes }',
      `config.yaml:2:9 http.auth: kubernetes ${needsCluster}, or set it to none`,
    ],
    [
      'source: demo\nleaderElection: { enabled: true }',
      `config.yaml:2:19 leaderElection.enabled: true ${needsCluster}`,
    ],
    ['source: demo\nevents: { enabled: true }', `config.yaml:2:11 events.enabled: true ${needsCluster}`],
  ])('%j', (yaml, problem) => {
    expect(problems(yaml)).toEqual([problem])
  })
})

test.each([
  ['source: demo', 'none', true],
  ['source: demo\nhttp: { host: 0.0.0.0, auth: none }', 'none', false],
  ['source: demo\nhttp: { host: 0.0.0.0, auth: none, allowCheckNow: true }', 'none', true],
  ['source: kubernetes', 'none', true],
  ['source: kubernetes\nhttp: { allowCheckNow: false }', 'none', false],
  ['source: kubernetes\nhttp: { auth: kubernetes }', 'kubernetes', true],
  ['source: kubernetes\nhttp: { host: 0.0.0.0 }', 'kubernetes', true],
  ['source: { kubernetes: { context: x } }\nhttp: { host: 10.0.0.1 }', 'kubernetes', true],
  ['source: kubernetes\nhttp: { host: 0.0.0.0, auth: none }', 'none', false],
])('who may ask, and start a round: %j', (yaml, auth, checkNow) => {
  const { settings } = load({ yaml })
  expect([authOf(settings), allowsCheckNow(settings)]).toEqual([auth, checkNow])
})
