import { expect, test } from 'vitest'
import { load, messageOf } from './support.ts'

const directory = '/run/account'

test.each([
  ['the file', { yaml: `source: { kubernetes: { serviceAccountDirectory: ${directory} } }` }],
  ['the environment', { env: { VPD_SOURCE_KUBERNETES_SERVICE_ACCOUNT_DIRECTORY: directory } }],
])('the directory of the account can be given by %s', (_, given) => {
  expect(load(given).settings.source).toEqual({ kubernetes: { serviceAccountDirectory: directory } })
})

const expected = 'expected a text such as /var/run/secrets/kubernetes.io/serviceaccount'

test.each([
  ['account', `${expected}, got "account"`],
  ['/', `${expected}, got "/"`],
  ['/a, context: c', 'cannot be set together with context; remove one of them'],
  ['/a, kubeconfig: k', 'cannot be set together with kubeconfig; remove one of them'],
])('serviceAccountDirectory: %s', (given, told) => {
  const yaml = `source: { kubernetes: { serviceAccountDirectory: ${given} } }`
  expect(messageOf(() => load({ yaml }))).toContain(
    `config.yaml:1:25 source.kubernetes.serviceAccountDirectory: ${told}\n`,
  )
})
