import { type Check, isCheck, type Needs } from './check.ts'
import { CircularDependency, inOrder } from './order.ts'
import { decoderOf, type Kind, kinds } from './vsphere-schema.ts'

/** Checks and where they come from, so that a complaint can name the file. */
export interface CheckOrigin {
  readonly from: string
  readonly checks: readonly Check[]
}

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}

/** All checks there are, in order of their ids; refuses a set that cannot work. */
export function registryOf(origins: readonly CheckOrigin[]): readonly Check[] {
  const seen = new Map<string, string>()
  for (const { from, checks } of origins) {
    for (const check of checks) {
      const flaw = flawOf(check)
      if (flaw !== undefined) throw new RegistryError(`${from}: check ${String(check.id)} ${flaw}.`)
      const other = seen.get(check.id)
      if (other !== undefined) {
        throw new RegistryError(
          `Two checks are called ${check.id}: one from ${other}, one from ${from}. Rename one of them.`,
        )
      }
      seen.set(check.id, from)
    }
  }

  const all = origins.flatMap(({ checks }) => checks)
  for (const check of all) {
    const unknown = check.dependsOn.find((id) => !seen.has(id))
    if (unknown !== undefined) {
      throw new RegistryError(`${seen.get(check.id)}: check ${check.id} depends on ${unknown}, which does not exist.`)
    }
  }
  refuseCircles(all)
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
}

const scopes: readonly unknown[] = ['cluster', 'vcenter', 'failureDomain', 'node'] satisfies Check['scope'][]
const severities: readonly unknown[] = ['info', 'warning', 'error'] satisfies Check['severity'][]
const kubeObjects: readonly unknown[] = ['nodes', 'infrastructure'] satisfies NonNullable<Needs['kube']>[number][]

/** A plugin may be plain JavaScript, so what the compiler says to us is said again here. */
function flawOf(check: Check): string | undefined {
  const text = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  if (!isCheck(check)) return 'was not made with defineCheck'
  if (typeof check.id !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(check.id)) return 'needs a kebab-case id'
  if (!text(check.title)) return 'needs a title'
  if (!text(check.help)) return 'needs a help text'
  if (!scopes.includes(check.scope)) return `has scope ${String(check.scope)}; it must be one of ${scopes.join(', ')}`
  if (!severities.includes(check.severity))
    return `has severity ${String(check.severity)}; it must be one of ${severities.join(', ')}`
  if (typeof check.run !== 'function') return 'has no run function'
  return needsFlaw(check.needs)
}

function needsFlaw(needs: Needs): string | undefined {
  if (typeof needs !== 'object' || needs === null) return 'does not say what it needs'
  for (const [name, wanted] of Object.entries(needs)) {
    if (name === 'cloudConfig' || name === 'rest') continue
    if (!Array.isArray(wanted)) return `needs.${name} must be a list`
    if (name === 'kube') {
      const odd = wanted.find((kind) => !kubeObjects.includes(kind))
      if (odd !== undefined) return `needs Kubernetes objects ${String(odd)}; known are ${kubeObjects.join(', ')}`
    } else if (!Object.hasOwn(kinds, name)) {
      return `needs ${name}; known are ${[...Object.keys(kinds), 'kube', 'cloudConfig', 'rest'].join(', ')}`
    } else {
      const odd = wanted.find((path) => decoderOf(name as Kind, String(path)) === undefined) // checked the line above
      if (odd !== undefined) return `needs ${String(odd)} of ${name}, a property that is not in the schema`
    }
  }
  return undefined
}

function refuseCircles(checks: readonly Check[]): void {
  try {
    inOrder(checks)
  } catch (error) {
    if (error instanceof CircularDependency) throw new RegistryError(error.message)
    throw error
  }
}
