import { type CredentialsSeen, defineCheck, type Severity, unknown } from '../src/framework/check.ts'

export const credentials = defineCheck({
  id: 'credentials',
  title: 'Credentials secret is complete and clean',
  help: `A line break that \`echo\` left behind, a user without domain or a pair that was forgotten show up as failed logins much
later, and failed logins lock accounts. This looks at the secret alone, before anybody logs in with it, and never shows a
value.`,
  scope: 'cluster',
  severity: 'error',
  needs: { credentials: true },

  *run({ credentials: { secret, copyOf, findings } }) {
    const editing = `kubectl edit secret -n ${(copyOf ?? secret).replace('/', ' ')}`
    const copied =
      copyOf === undefined ? '' : `; OpenShift copies it to ${secret}, except in manual credentials mode: edit that too`
    for (const { kind, key, message } of findings.slice(0, most)) {
      const { reason, severity } = kinds[kind]
      yield {
        reason,
        severity,
        message: `Secret ${secret}: ${message}.`,
        remedy: `${editing}, key ${key}${copied}.`,
        source: { object: `Secret/${secret}`, path: ['data', key] },
      }
    }
    if (findings.length > most)
      yield unknown(`Secret ${secret} has ${findings.length} findings, of which the first ${most} are shown.`)
  },
})

/** A secret with more of them is no secret with logins. */
const most = 200

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
  'line-break-in-server': { reason: 'LineBreakInValue', severity: 'error' },
  'blanks-around-server': { reason: 'BlanksAroundValue', severity: 'error' },
  'numbered-form': { reason: 'FormUnknownToOpenShift', severity: 'error' },
  'unused-login': { reason: 'LoginOfNoVCenter', severity: 'info' },
  'orphan-key': { reason: 'OrphanKey', severity: 'warning' },
}
