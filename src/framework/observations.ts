import type { Check, Observation, Sample, Severity } from './check.ts'
import { isRecord } from './record.ts'
import type { ReportedFinding } from './result.ts'

/** What one run of a check has yielded so far. */
export interface Observed {
  readonly findings: ReportedFinding[]
  /** The findings as the check itself weighs them: what the user makes of them does not change what they explain. */
  readonly asMeant: { readonly severity: Severity }[]
  readonly unknowns: string[]
  readonly samples: Sample[]
}

/** More than this from one run on one subject is a check that has lost its way: nothing of it is worth showing. */
const limit = 10_000

const severities: readonly unknown[] = ['info', 'warning', 'error'] satisfies Severity[]

/** Takes in whatever a check yields; throws a TypeError for anything that is not an observation. */
export function take(value: unknown, check: Check, override: Severity | undefined, into: Observed): void {
  if (into.findings.length + into.unknowns.length + into.samples.length >= limit) {
    into.findings.length = 0
    into.asMeant.length = 0
    into.samples.length = 0
    throw new TypeError(`it yielded more than ${limit} observations`)
  }
  if (isSample(value, check)) into.samples.push(value)
  else if (isUnknown(value)) into.unknowns.push(value.unknown)
  else if (isFinding(value)) {
    const { reason, message, remedy, source } = value
    const own = value.severity ?? check.severity
    into.asMeant.push({ severity: own })
    into.findings.push({
      reason,
      severity: override ?? own,
      message,
      ...(remedy === undefined ? {} : { remedy }),
      ...(source === undefined ? {} : { source }),
    })
  } else throw new TypeError(`it yielded ${preview(value)}, which is no finding, sample or unknown`)
}

type FindingSeen = Extract<Observation, { readonly reason: string }>

function isFinding(value: unknown): value is FindingSeen {
  if (!isRecord(value)) return false
  const { reason, message, remedy, severity, source } = value
  return (
    typeof reason === 'string' &&
    /^[A-Z][A-Za-z0-9]*$/.test(reason) &&
    typeof message === 'string' &&
    message.trim() !== '' &&
    (remedy === undefined || typeof remedy === 'string') &&
    (severity === undefined || severities.includes(severity)) &&
    (source === undefined || isSource(source))
  )
}

function isSource(value: unknown): boolean {
  if (!isRecord(value) || typeof value['object'] !== 'string' || !Array.isArray(value['path'])) return false
  return value['path'].every((step) => typeof step === 'string' || typeof step === 'number')
}

function isUnknown(value: unknown): value is { readonly unknown: string } {
  return isRecord(value) && typeof value['unknown'] === 'string'
}

/** A sample of a gauge that the check has declared, with just its labels. */
function isSample(value: unknown, check: Check): value is Sample {
  if (!isRecord(value) || !('metric' in value)) return false
  const { metric, labels } = value
  const declared = check.metrics.find((gauge) => gauge.metric === metric)
  if (declared === undefined)
    throw new TypeError(`it yielded a sample of ${preview(metric)}, which it does not declare`)
  return (
    Number.isFinite(value['value']) &&
    isRecord(labels) &&
    Object.keys(labels).length === declared.labels.length &&
    declared.labels.every((label) => typeof labels[label] === 'string')
  )
}

function preview(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' ? describe(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function describe(value: object | null): string {
  return value === null ? 'null' : `an object with ${Object.keys(value).join(', ') || 'no keys'}`
}
