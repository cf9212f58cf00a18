import {
  cloudConfigName,
  defineCheck,
  type Finding,
  nameList,
  type SecretFinding,
  type SecretSeen,
  type Severity,
  unknown,
} from '../src/framework/check.ts'

export const credentials = defineCheck({
  id: 'credentials',
  title: 'Credentials secret is complete and clean',
  help: `A line break that \`echo\` left behind, a user without domain or a pair that was forgotten show up as failed logins much
later, and failed logins lock accounts. This looks at the secrets alone, before anybody logs in with them, and never shows
a value: each secret that the cloud config names, by the vCenters that it is named for; on OpenShift the root secret and
its copies, by all vCenters.`,
  scope: 'cluster',
  severity: 'error',
  needs: { credentials: true },

  *run({ credentials: { secrets }, places }) {
    const cloudConfig = cloudConfigName(places.cloudConfig)
    const isSeen = (place: string) => secrets.some(({ secret, findings }) => secret === place && isRead(findings))
    for (const seen of secrets) {
      const { secret, findings } = seen
      if (findings.state === 'absent') yield missing(seen, cloudConfig)
      else if (findings.state !== 'read') yield unknown(findings.why)
      else {
        const isCopyOfSeen = seen.copyOf !== undefined && isSeen(seen.copyOf)
        for (const finding of findings.value.slice(0, most)) yield told(seen, finding, isCopyOfSeen, cloudConfig)
        if (findings.value.length > most)
          yield unknown(`Secret ${secret} has ${findings.value.length} findings, of which the first ${most} are shown.`)
      }
    }
  },
})

/** A secret with more of them is no secret with logins. */
const most = 200

const isRead = ({ state }: SecretSeen['findings']): boolean => state === 'read'

function missing({ secret, servers, namedAt, isChosen }: SecretSeen, cloudConfig: string): Finding {
  const logins = servers.length === 0 ? 'the logins' : `the logins of ${nameList(servers)}`
  const create = `Create Secret ${secret} with ${logins}`
  const absent = { reason: 'SecretMissing', source: { object: `Secret/${secret}`, path: [] } }
  if (isChosen)
    return {
      ...absent,
      message: `There is no Secret ${secret}, which the setting source.kubernetes.credentials names.`,
      remedy: `${create}, or correct the setting.`,
    }
  if (namedAt === undefined)
    return {
      ...absent,
      message: `There is no Secret ${secret}, in which OpenShift keeps ${logins}.`,
      remedy: `${create}.`,
    }
  return {
    ...absent,
    message: `There is no Secret ${secret}, which the cloud config names for ${logins}.`,
    remedy: `${create}, or correct the name of the secret in ${cloudConfig}.`,
    source: { object: 'cloudConfig', path: namedAt },
  }
}

function told(seen: SecretSeen, finding: SecretFinding, isCopyOfSeen: boolean, cloudConfig: string): Finding {
  const { secret, file } = seen
  const { kind, key, message } = finding
  return {
    ...kinds[kind],
    message: `Secret ${secret}${file === undefined ? '' : ` of ${file}`}: ${message}.`,
    remedy:
      kind === 'server-fits-no-key'
        ? `Correct the server in ${cloudConfig} and, on OpenShift, in Infrastructure/cluster.`
        : isCopyOfSeen
          ? remedyOfCopy(seen, key)
          : remedyOf(seen, finding),
    source: { object: `Secret/${secret}`, path: ['data', key] },
  }
}

function remedyOf({ secret, file, copyOf }: SecretSeen, { key, copies = [] }: SecretFinding): string {
  if (file !== undefined) return `Correct key ${key} in ${file}, and in the cluster where it comes from there.`
  const copied = copyOf === undefined ? copies : [secret]
  const edit = `${editing(copyOf ?? secret)}, key ${key}`
  if (copied.length === 0) return `${edit}.`
  const those = copied.length > 1 ? 'those' : 'that'
  return `${edit}; OpenShift copies it to ${nameList(copied)}, except in manual credentials mode: edit ${those} too.`
}

/** Where the secret that it is made from is in order. */
function remedyOfCopy({ secret, copyOf }: SecretSeen, key: string): string {
  return `OpenShift makes it from Secret ${copyOf}: see why it is behind (kubectl get clusteroperator cloud-credential). In manual credentials mode nobody makes it: ${editing(secret)}, key ${key}.`
}

const editing = (secret: string): string => `kubectl edit secret -n ${secret.replace('/', ' ')}`

const kinds: { readonly [K in SecretFinding['kind']]: { readonly reason: string; readonly severity: Severity } } = {
  'missing-pair': { reason: 'CredentialsMissing', severity: 'error' },
  'server-fits-no-key': { reason: 'ServerFitsNoKey', severity: 'error' },
  'missing-user': { reason: 'UserMissing', severity: 'error' },
  'missing-password': { reason: 'PasswordMissing', severity: 'error' },
  'line-break': { reason: 'LineBreakInValue', severity: 'error' },
  'forgiven-line-break': { reason: 'LineBreakInValue', severity: 'warning' },
  'not-utf8': { reason: 'ValueIsNoText', severity: 'error' },
  'other-case': { reason: 'ServerNameCaseDiffers', severity: 'error' },
  'blanks': { reason: 'BlanksAroundValue', severity: 'warning' },
  'no-domain': { reason: 'UserWithoutDomain', severity: 'warning' },
  'line-break-in-server': { reason: 'LineBreakInValue', severity: 'error' },
  'blanks-around-server': { reason: 'BlanksAroundValue', severity: 'error' },
  'numbered-form': { reason: 'FormUnknownToOpenShift', severity: 'error' },
  'unused-login': { reason: 'LoginOfNoVCenter', severity: 'info' },
  'orphan-key': { reason: 'OrphanKey', severity: 'warning' },
  // It is so for a moment whenever a password is changed.
  'stale-copy': { reason: 'CopyOutOfDate', severity: 'warning' },
}
