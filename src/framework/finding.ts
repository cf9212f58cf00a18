import type { Sample } from './gauge.ts'

export type Observation = Finding | Sample | Unknown

export type Severity = 'info' | 'warning' | 'error'

export interface Finding {
  /** Stable, CamelCase: what alerts and scripts match on. */
  readonly reason: string
  /** What is and what should be, in a sentence or two. Outputs put the subject in front. */
  readonly message: string
  /** What to do about it, naming the object to edit. */
  readonly remedy?: string
  /** Where it is not that of the check. */
  readonly severity?: Severity
  /** The place in the cluster's objects that the finding is about, so that a file and line can be named. */
  readonly source?: Source
}

export interface Source {
  /** `Infrastructure/cluster`, `cloudConfig`, `csiConfig`, `Secret/<namespace>/<name>`. */
  readonly object: string
  /** From the object's root, e.g. `['spec', 'platformSpec', 'vsphere', 'failureDomains', 0, 'server']`. */
  readonly path: readonly (string | number)[]
}

/** A part of the picture that could not be seen. Without findings it makes the result unknown. */
export interface Unknown {
  readonly unknown: string
}

export function unknown(why: string): Unknown {
  return { unknown: why }
}
