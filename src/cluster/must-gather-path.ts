import type { Kind } from './kinds-in-text.ts'
import { manifestKinds } from './kinds-in-text.ts'
import { resourceOf } from './kubernetes/resources.ts'

/** What a file of a must-gather holds. */
export interface Promised {
  readonly kinds: ReadonlySet<Kind>
  readonly namespace?: string
}

/**
 * What the path of a file promises where it is one of a must-gather: `namespaces/<namespace>/core/configmaps.yaml`,
 * `cluster-scoped-resources/<group>/<resource>/<name>.yaml`. Undefined for other paths.
 */
export function promisedBy(path: string): Promised | undefined {
  const [, namespace, group = '', resource = ''] = layout.exec(path) ?? []
  if (group === '') return undefined
  const kinds = [...manifestKinds].filter((kind) => {
    const { group: own, plural } = resourceOf(kind)
    return (
      (own === '' ? 'core' : own) === group && plural === resource && isNamespaced(kind) === (namespace !== undefined)
    )
  })
  return { kinds: new Set(kinds), ...(namespace === undefined ? {} : { namespace }) }
}

const layout =
  /(?:^|\/)(?:cluster-scoped-resources|namespaces\/([^/]+))\/(core|apps|batch|autoscaling|policy|pods|[a-z0-9-]+(?:\.[a-z0-9-]+)+)\/([^/.]+)/

function isNamespaced(kind: Kind): boolean {
  return kind === 'ConfigMap' || kind === 'Secret'
}
