import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isA, type ManagedObject, readProperty } from './managed-object.ts'
import { type Lookup, objectSpec, select } from './selection.ts'
import type { Page } from './sessions.ts'
import { invalidArgument, type VimFault } from './vim-fault.ts'
import { bare, boxed, data, type Json } from './vim-value.ts'

export type ObjectContent = Json

export const retrieveRequest = z.object({
  specSet: z.array(
    z.object({
      propSet: z.array(
        z.object({ type: z.string(), all: z.boolean().optional(), pathSet: z.array(z.string()).optional() }),
      ),
      objectSet: z.array(objectSpec),
      reportMissingObjectsInResults: z.boolean().optional(),
    }),
  ),
  options: z.object({ maxObjects: z.int().optional() }),
})

export type RetrieveRequest = z.infer<typeof retrieveRequest>

/** Everything that was asked for; in pages only afterwards, so that a client sees one moment of the world. */
export function retrieve(request: RetrieveRequest, lookup: Lookup): readonly ObjectContent[] {
  if ((request.options.maxObjects ?? 1) <= 0) throw invalidArgument('options.maxObjects')
  return request.specSet.flatMap(({ propSet, objectSet, reportMissingObjectsInResults }) => {
    const selected = select(objectSet, lookup, reportMissingObjectsInResults ?? false)
    return selected.flatMap((object) => {
      const specs = propSet.filter((spec) => isA(object.ref.type, spec.type))
      return specs.length === 0 ? [] : [objectContent(object, specs)]
    })
  })
}

/** As much of an answer as goes into one page; the rest waits in `pages` under a token. */
export function onePage({ rest, maxObjects }: Page, pageCap: number | undefined, pages: Map<string, Page>): Json {
  const size = Math.min(maxObjects ?? Number.POSITIVE_INFINITY, pageCap ?? Number.POSITIVE_INFINITY)
  if (rest.length <= size) return { _typeName: 'RetrieveResult', objects: rest }
  const token = randomUUID()
  pages.set(token, { rest: rest.slice(size), maxObjects })
  return { _typeName: 'RetrieveResult', token, objects: rest.slice(0, size) }
}

type PropertySpec = RetrieveRequest['specSet'][number]['propSet'][number]

/** A property that is unset is in neither set, one that cannot be read is in `missingSet`. */
function objectContent(object: ManagedObject, specs: readonly PropertySpec[]): ObjectContent {
  const propSet: Json[] = []
  const missingSet: Json[] = []
  const fields = object.properties()
  const still = { ...object, properties: () => fields }
  for (const name of pathsOf(still, specs)) {
    const read = readProperty(still, name)
    if (read.state === 'set') propSet.push({ _typeName: 'DynamicProperty', name, val: boxed(read.value) })
    if (read.state === 'unreadable') missingSet.push(missingProperty(name, read.fault))
  }
  return {
    _typeName: 'ObjectContent',
    obj: bare(object.ref),
    ...(propSet.length > 0 && { propSet }),
    ...(missingSet.length > 0 && { missingSet }),
  }
}

function pathsOf(object: ManagedObject, specs: readonly PropertySpec[]): ReadonlySet<string> {
  return new Set(specs.flatMap((spec) => (spec.all ? Object.keys(object.properties()) : (spec.pathSet ?? []))))
}

function missingProperty(path: string, fault: VimFault): Json {
  const localized = data('LocalizedMethodFault', { fault: fault.detail })
  return { _typeName: 'MissingProperty', path, fault: bare(localized) }
}
