import { type CredentialsSeen, defineCheck, type Severity } from '../src/framework/check.ts'

export const credentials = defineCheck({
  id: 'credentials',
  title: 'Credentials secret is complete and clean',
  help: `A line break that \`echo\` left behind, a user without domain or a pair that was forgotten show up as failed logins much
later, and failed logins lock accounts. This looks at the secret alone, before anybody logs in with it, and never shows a
value.`,
  scope: 'cluster',
  severity: 'error',
  needs: { credentials: true },

  *run({ credentials: { secret, findings } }) {
    for (const { kind, key, message } of findings) {
      const { reason, severity } = kinds[kind]
      yield {
        reason,
        severity,
        message: `Secret ${secret}: ${message}.`,
        remedy: `kubectl edit secret -n ${secret.replace('/', ' ')}, key ${key}.`,
        source: { object: `Secret/${secret}`, path: ['data', key] },
      }
    }
  },
})

type FindingKind = CredentialsSeen['findings'][number]['kind']

const kinds: { readonly [K in FindingKind]: { readonly reason: string; readonly severity: Severity } } = {
  'missing-pair': { reason: 'CredentialsMissing', severity: 'error' },
  'missing-user': { reason: 'UserMissing', severity: 'error' },
  'missing-password': { reason: 'PasswordMissing', severity: 'error' },
  'line-break': { reason: 'LineBreakInValue', severity: 'error' },
  'not-utf8': { reason: 'ValueIsNoText', severity: 'error' },
  'other-case': { reason: 'ServerNameCaseDiffers', severity: 'error' },
  'blanks': { reason: 'BlanksAroundValue', severity: 'warning' },
  'no-domain': { reason: 'UserWithoutDomain', severity: 'warning' },
  'orphan-key': { reason: 'OrphanKey', severity: 'warning' },
}
