import { z } from 'zod'
import type { Severity } from '../framework/check.ts'
import { defaultVSphereSettings } from '../vsphere/settings.ts'
import { cronProblems, isTimezone } from './cron.ts'
import { quote } from './problems.ts'
import { didYouMean } from './suggest.ts'

const severities = ['info', 'warning', 'error'] as const satisfies readonly Severity[]

const text = z.string().regex(/\S/)

/** A path into the cluster, of so many parts. */
function placeOf(example: string, parts: number) {
  const part = '[^/\\s]+'
  return z
    .string()
    .regex(new RegExp(`^${Array(parts).fill(part).join('/')}$`))
    .meta({ examples: [example] })
}

/** Timers of the runtime overflow after 24 days; a day is more than any of these should ever be. */
const seconds = z.number().positive().max(86_400)

const cron = z.string().check(({ value, issues }) => {
  for (const message of cronProblems(value)) issues.push({ code: 'custom', message, input: value })
})

const timezone = z.string().check(({ value, issues }) => {
  if (isTimezone(value)) return
  const hint = didYouMean(value, ['Etc/UTC', ...Intl.supportedValuesOf('timeZone')])
  const message = `unknown time zone ${quote(value)}${hint || '; use an IANA name such as "Europe/Berlin"'}`
  issues.push({ code: 'custom', message, input: value })
})

const kubernetes = z
  .strictObject({
    kubeconfig: text
      .exactOptional()
      .describe('The kubeconfig to use. Unless set: KUBECONFIG, the cluster that this runs in, or ~/.kube/config.'),
    context: text.exactOptional().describe('The context of the kubeconfig, instead of its current one.'),
    serviceAccountDirectory: z
      .string()
      .regex(/^\/./)
      .meta({ examples: ['/var/run/secrets/kubernetes.io/serviceaccount'] })
      .exactOptional()
      .describe(
        'Uses the cluster that this runs in, with the account that is mounted here instead of the usual place.',
      ),
    credentials: placeOf('kube-system/vsphere-creds', 2)
      .exactOptional()
      .describe('The secret with the credentials, as namespace/name, instead of the usual ones.'),
    cloudConfig: placeOf('kube-system/vsphere-cloud-config/vsphere.conf', 3)
      .exactOptional()
      .describe('The ConfigMap with the cloud config, as namespace/name/key, instead of the usual ones.'),
  })
  .check(({ value, issues }) => {
    if (value.serviceAccountDirectory === undefined) return
    const other = (['kubeconfig', 'context'] as const).find((key) => value[key] !== undefined)
    if (other === undefined) return
    const message = `cannot be set together with ${other}; remove one of them`
    issues.push({ code: 'custom', message, input: value, path: ['serviceAccountDirectory'] })
  })

/** To add a kind of source, add its branch. Layers do not mix the keys of two branches. */
const source = z.union([
  z.literal('demo'),
  z.literal('kubernetes'),
  z.strictObject({
    directory: text.describe('A directory of collected cluster objects, or the archive of a must-gather.'),
  }),
  z.strictObject({ kubernetes: kubernetes.describe('The live cluster, and how to reach it.') }),
])

const schedule = z.strictObject({
  cron: cron.default('*/15 * * * *').describe('When all checks run: a cron expression of 5 fields, or 6 with seconds.'),
  timezone: timezone.default('Etc/UTC').describe('The time zone of every cron expression.'),
  jitterSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(30)
    .describe('Each run starts up to this much later, so that several clusters do not call a vCenter at once.'),
  runAtStart: z.boolean().default(true).describe('Whether a round runs as soon as the daemon has started.'),
  retry: z
    .strictObject({
      initialSeconds: seconds.default(60).describe('The first wait; later ones grow.'),
      maxSeconds: seconds.default(1800).describe('The longest wait.'),
    })
    .prefault({})
    .describe('How soon to look again while a vCenter cannot be reached.'),
})

const timeouts = z.strictObject({
  callSeconds: seconds
    .default(defaultVSphereSettings.callTimeoutMs / 1000)
    .describe('The longest a single call to a vCenter may take.'),
  vcenterSeconds: seconds.default(120).describe('The longest that reading one vCenter may take.'),
  roundSeconds: seconds.default(300).describe('The longest a round may take.'),
  checkSeconds: seconds.default(30).describe('The longest a check may take.'),
})

const http = z.strictObject({
  host: text.default('127.0.0.1').describe('The address to listen on; 0.0.0.0 for all.'),
  port: z.int().min(0).max(65_535).default(8080).describe('The port to listen on; 0 for any free one.'),
  allowCheckNow: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether a round can be started over HTTP. Unless set: where every caller is this machine, or is authorised.',
    ),
  tls: z
    .strictObject({
      certFile: text.describe('A PEM file of the certificate, followed by those that lead to its authority.'),
      keyFile: text.describe('A PEM file of its private key.'),
    })
    .exactOptional()
    .describe('Serves HTTPS. Both files are read again when they change.'),
  auth: z
    .enum(['none', 'kubernetes'])
    .exactOptional()
    .describe(
      'Who may ask: everybody, or whom the cluster knows and permits. Unless set: none on a loopback address, kubernetes elsewhere.',
    ),
})

const leaderElection = z.strictObject({
  enabled: z.boolean().default(false).describe('Whether replicas agree on one of them that works.'),
  namespace: text.exactOptional().describe('The namespace of the Lease. Unless set, the one that this runs in.'),
  name: text.default('vsphere-problem-detector').describe('The name of the Lease.'),
  leaseSeconds: seconds.default(30).describe('A leader that is silent for this long may be replaced.'),
  renewSeconds: seconds.default(20).describe('A leader that could not renew for this long stops working.'),
  retrySeconds: seconds.default(5).describe('How often to renew, or to try to take over.'),
})

const events = z.strictObject({
  enabled: z.boolean().default(false).describe('Whether a Kubernetes Event is written when a result changes.'),
  namespace: text
    .exactOptional()
    .describe('The namespace of Events that are not about a node. Unless set, the one that this runs in.'),
  memory: text
    .default('vsphere-problem-detector-events')
    .describe(
      'The ConfigMap in that namespace that remembers what was told, so that a restart does not tell it again.',
    ),
})

const log = z.strictObject({
  level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The least important lines to write.'),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('How lines are written; auto is pretty on a terminal and JSON elsewhere.'),
})

const vsphere = z.strictObject({
  maxConcurrentCalls: z
    .int()
    .min(1)
    .max(64)
    .default(defaultVSphereSettings.maxConcurrentCalls)
    .describe('Calls under way at one time, per vCenter.'),
  idleLogoutSeconds: seconds
    .default(defaultVSphereSettings.idleLogoutMs / 1000)
    .describe('A session unused for this long is given back. Longer than from one round to the next, it is kept.'),
  loginHoldSeconds: seconds
    .default(defaultVSphereSettings.loginHoldMs / 1000)
    .describe('A rejected password is not tried again for this long, unless it changes: no account gets locked.'),
  maxBodyMegabytes: z
    .int()
    .min(1)
    .max(1024)
    .default(defaultVSphereSettings.maxBodyBytes / 2 ** 20)
    .describe('The largest answer of a vCenter that is read.'),
  caFile: text.exactOptional().describe('A PEM file of certificate authorities that vCenters are verified with.'),
})

const check = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether the check runs.'),
  severity: z.enum(severities).exactOptional().describe('The severity of its findings, instead of its own.'),
  cron: cron.exactOptional().describe('When this check runs, instead of with all others.'),
  options: z
    .record(z.string().meta({ title: 'option' }), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .default({})
    .describe('Its thresholds and lists; "vpd checks explain ID" shows them with their defaults.'),
})

/** A date lasts until the next one begins. */
function endOf(until: string): Date {
  const isDate = !until.includes('T')
  return new Date(Date.parse(until) + (isDate ? 24 * 3600 * 1000 : 0))
}

const suppression = z.strictObject({
  check: text.describe('The checks: an id, where * stands for anything and ? for one character.'),
  object: text.describe('The objects: kind/name, such as node/worker-*.'),
  reason: text.describe('Why, for whoever reads it later.'),
  until: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .transform(endOf)
    .exactOptional()
    .describe('When it ends: a date (to its end, UTC) or a date-time. For ever unless set.'),
})

export const settingsSchema = z
  .strictObject({
    source: source.exactOptional().describe('Where the cluster is read from.'),
    schedule: schedule.prefault({}).describe('When checks run.'),
    timeouts: timeouts.prefault({}).describe('How long things may take: call ≤ vCenter ≤ round, and check ≤ round.'),
    http: http.prefault({}).describe('The HTTP server.'),
    log: log.prefault({}).describe('What is logged, and how.'),
    vsphere: vsphere.prefault({}).describe('How vCenters are spoken to.'),
    leaderElection: leaderElection.prefault({}).describe('Which of several replicas works.'),
    events: events.prefault({}).describe('Kubernetes Events.'),
    checks: z
      .record(z.string().meta({ title: 'check id' }), check)
      .default({})
      .describe('What to change about single checks, by their id.'),
    suppressions: z
      .array(suppression)
      .prefault([])
      .describe('Findings to show as suppressed and not to count, by check and object.'),
    plugins: z
      .array(text)
      .default([])
      .describe('Modules with further checks: packages, or files when they begin with "./", "../" or "/".'),
  })
  .describe('Settings of vsphere-problem-detector.')

export type Settings = DeepReadonly<z.output<typeof settingsSchema>>

/** What flags may give: any part of the settings. */
export type PartialSettings = DeepPartial<z.input<typeof settingsSchema>>

/** What may be written in the file, for editors and for ourselves: names, types and texts are all taken from it. */
export function settingsJsonSchema(): JsonSchema {
  return structuredClone(jsonSchema)
}

export const jsonSchema: JsonSchema = z.toJSONSchema(settingsSchema, { io: 'input' })

export type JsonSchema = z.core.JSONSchema.BaseSchema

type DeepReadonly<T> = T extends Date ? T : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

type DeepPartial<T> = T extends readonly unknown[]
  ? Readonly<T>
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T
