import { type Check, type Gauge, isCheck, type Needs } from './check.ts'
import { isRecord } from './record.ts'
import { decoderOf, type Kind, kinds } from './vsphere-schema.ts'

/** What is wrong with the shape of a check. A plugin may be plain JavaScript, so what the compiler says is said again. */
export function flawOf(check: Check): string | undefined {
  if (!isCheck(check)) return 'was not made with defineCheck'
  if (typeof check.id !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(check.id)) return 'needs a kebab-case id'
  if (!isText(check.title)) return 'needs a title'
  if (!isText(check.help)) return 'needs a help text'
  if (!scopes.includes(check.scope)) return `has scope ${String(check.scope)}; it must be one of ${scopes.join(', ')}`
  if (!severities.includes(check.severity))
    return `has severity ${String(check.severity)}; it must be one of ${severities.join(', ')}`
  if (typeof check.run !== 'function') return 'has no run function'
  if (!isListOf(check.dependsOn, isText)) return 'has dependsOn that is no list of check ids'
  return needsFlaw(check.needs) ?? optionsFlaw(check.options) ?? metricsFlaw(check.metrics)
}

const scopes: readonly unknown[] = ['cluster', 'vcenter', 'failureDomain', 'node'] satisfies Check['scope'][]
const severities: readonly unknown[] = ['info', 'warning', 'error'] satisfies Check['severity'][]
const kubeObjects: readonly string[] = Object.keys({
  nodes: true,
  infrastructure: true,
  persistentVolumes: true,
  storageClasses: true,
  csiNodes: true,
  csiDriver: true,
  clusterCsiDriver: true,
  featureGate: true,
  machineConfigs: true,
} satisfies Record<NonNullable<Needs['kube']>[number], true>)

const kubeNeeds: readonly string[] = ['kube', 'kubeIfThere'] satisfies KubeNeed[]

type KubeNeed = 'kube' | 'kubeIfThere'

/** Needs that are not lists, and what may be said of them. */
const switches: Readonly<Record<string, readonly unknown[]>> = {
  cloudConfig: [true, 'even-if-broken', 'if-there'],
  csiConfig: [true, 'even-if-broken', 'if-there'],
  credentials: [true],
  connection: [true],
  placement: [true],
  policies: [true],
  tasks: [true],
  rest: [true],
} satisfies Record<Exclude<keyof Needs, Kind | KubeNeed | 'paths'>, readonly unknown[]>

function needsFlaw(needs: Needs): string | undefined {
  if (!isRecord(needs)) return 'does not say what it needs'
  for (const [name, wanted] of Object.entries<unknown>(needs)) {
    const allowed = Object.hasOwn(switches, name) ? switches[name] : undefined
    if (allowed !== undefined) {
      if (!allowed.includes(wanted)) return `has needs.${name} that is not ${allowed.join(' or ')}`
    } else if (name === 'paths') {
      if (typeof wanted !== 'function') return 'has needs.paths that is no function of a failure domain'
    } else if (!kubeNeeds.includes(name) && !Object.hasOwn(kinds, name)) {
      return `needs ${name}; known are ${[...Object.keys(kinds), ...kubeNeeds, 'paths', ...Object.keys(switches)].join(', ')}`
    } else if (!Array.isArray(wanted)) return `has needs.${name} that is no list`
    else if (kubeNeeds.includes(name)) {
      const odd = wanted.find((kind) => !kubeObjects.includes(kind))
      if (odd !== undefined) return `needs Kubernetes objects ${String(odd)}; known are ${kubeObjects.join(', ')}`
    } else {
      const odd = wanted.find((path) => decoderOf(name as Kind, String(path)) === undefined) // a kind, as checked above
      if (odd !== undefined) return `needs ${String(odd)} of ${name}, a property that is not in the schema`
    }
  }
  return undefined
}

function optionsFlaw(options: Check['options']): string | undefined {
  if (!isRecord(options)) return 'has options that are no object'
  const odd = Object.entries(options).find(([, value]) => !isOption(value))?.[0]
  return odd === undefined
    ? undefined
    : `has option ${odd}, whose default is no text, number, true, false or list of texts`
}

function isOption(value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return isScalar || isListOf(value, (each) => typeof each === 'string')
}

/** Prometheus refuses a whole page for one bad name. */
function metricsFlaw(metrics: readonly Gauge[]): string | undefined {
  if (!isListOf(metrics, isGauge)) return 'has metrics that are no list of gauges; make them with gauge()'
  for (const { metric, help, labels } of metrics) {
    if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(metric)) return `has metric ${metric}, which is no Prometheus name`
    if (!isText(help)) return `has metric ${metric} without a help text`
    const odd = labels.find((label) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label))
    if (odd !== undefined) return `has metric ${metric} with label ${odd}, which is no Prometheus label name`
    const reserved = labels.find((label) => label.startsWith('__'))
    if (reserved !== undefined)
      return `has metric ${metric} with label ${reserved}; Prometheus keeps names that begin with __ to itself`
  }
  return undefined
}

function isGauge(value: unknown): boolean {
  // gauge() returns a function that carries these.
  const gauge = typeof value === 'function' || isRecord(value) ? (value as Partial<Gauge>) : {}
  return typeof gauge.metric === 'string' && isListOf(gauge.labels, (label) => typeof label === 'string')
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
