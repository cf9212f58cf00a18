import type { Live } from '../login.ts'
import { SessionEnded, VimFault } from '../vim/faults.ts'
import { type MoRef, refParameter } from '../vim/model.ts'
import { fieldsOf, isFields, listOf, Malformed, moRefOf, textOf } from '../vim/shape.ts'
import { tidyUp } from './tidy.ts'

/** What the property collector says of one object. */
export interface ObjectContent {
  readonly obj: MoRef
  readonly values: ReadonlyMap<string, unknown>
  /** Property path → the fault that kept it from being read. */
  readonly faults: ReadonlyMap<string, Fault>
}

export interface Fault {
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Managed object type → property paths. */
export type Paths = ReadonlyMap<string, readonly string[]>

/** Of which objects: listed ones, and all that a view holds. */
export interface ObjectSet {
  readonly refs?: readonly MoRef[]
  readonly view?: MoRef
}

/**
 * Reads properties, page by page, until the server has no more. It may send fewer objects than asked for, and a page
 * may come twice where the reading had to start over: keep objects by their id.
 */
export async function retrieve(
  live: Live,
  objects: ObjectSet,
  paths: Paths,
  maxObjects: number,
  signal: AbortSignal,
  onPage: (page: readonly ObjectContent[]) => void,
): Promise<void> {
  try {
    await readPages(live, objects, paths, maxObjects, signal, onPage)
  } catch (error) {
    if (!isLostPage(error)) throw error
    await readPages(live, objects, paths, maxObjects, signal, onPage)
  }
}

const next = 'ContinueRetrievePropertiesEx'

/** A page that got lost on the way cannot be asked for again: the server has forgotten its token, the only argument. */
function isLostPage(error: unknown): boolean {
  return error instanceof VimFault && error.method === next && /^Invalid(Argument|Property)$/.test(error.type)
}

const mostBarrenPages = 10

async function readPages(
  live: Live,
  objects: ObjectSet,
  paths: Paths,
  maxObjects: number,
  signal: AbortSignal,
  onPage: (page: readonly ObjectContent[]) => void,
): Promise<void> {
  const { vim } = live
  const { propertyCollector } = vim.content
  const seen = new Set<string>()
  const first = { specSet: [filterSpec(objects, paths)], options: { maxObjects } }
  let answer = await vim.invoke(propertyCollector, 'RetrievePropertiesEx', first, { signal })
  for (let barren = 0; ; ) {
    const { page, token } = pageOf(answer)
    assertAuthenticated(live, page)
    const before = seen.size
    for (const { obj } of page) seen.add(`${obj.type}:${obj.value}`)
    onPage(page)
    if (token === undefined) return
    barren = seen.size === before ? barren + 1 : 0
    if (barren > mostBarrenPages) throw new Malformed('page after page without anything new')
    answer = await vim.invoke(propertyCollector, next, { token }, { signal }).catch((error: unknown) => {
      // The server keeps the remaining pages for us; it need not.
      if (!(error instanceof SessionEnded)) {
        void tidyUp(live, propertyCollector, 'CancelRetrievePropertiesEx', { token })
      }
      throw error
    })
  }
}

/** A session that ended shows in this way too, where the collector answers everybody. */
function assertAuthenticated({ unauthenticated }: Live, page: readonly ObjectContent[]): void {
  const properties = new Set<string>()
  for (const { faults } of page) {
    for (const [path, { type }] of faults) {
      if (type === 'NotAuthenticated' && !unauthenticated.has(path)) properties.add(path)
    }
  }
  if (properties.size === 0) return
  throw new SessionEnded(`${[...properties].join(', ')} could not be read without a session`, [...properties])
}

function filterSpec({ refs = [], view }: ObjectSet, paths: Paths) {
  return {
    propSet: [...paths].map(([type, pathSet]) => ({ _typeName: 'PropertySpec', type, all: false, pathSet })),
    objectSet: [...(view ? [viewSpec(view)] : []), ...refs.map((ref) => ({ obj: refParameter(ref) }))],
    // Otherwise one deleted object would fail the reading of all others.
    reportMissingObjectsInResults: true,
  }
}

function viewSpec(view: MoRef) {
  const traversal = { _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view', skip: false }
  return { obj: refParameter(view), skip: true, selectSet: [traversal] }
}

function pageOf(answer: unknown): { readonly page: readonly ObjectContent[]; readonly token: string | undefined } {
  if (answer === undefined) return { page: [], token: undefined }
  const { token, objects } = fieldsOf(answer, 'a page of properties')
  const page = listOf(objects).map(objectContentOf)
  return { page, token: token === undefined || token === '' ? undefined : textOf(token, 'a page token') }
}

function objectContentOf(value: unknown): ObjectContent {
  const { obj, propSet, missingSet } = fieldsOf(value, 'an object of a page')
  return {
    obj: moRefOf(obj, 'an object of a page with an id'),
    values: new Map(listOf(propSet).map(propertyOf)),
    faults: new Map(listOf(missingSet).map(missingOf)),
  }
}

function propertyOf(value: unknown): [string, unknown] {
  const { name, val } = fieldsOf(value, 'a property')
  return [textOf(name, 'a property name'), val]
}

function missingOf(value: unknown): [string, Fault] {
  const { path, fault: localized } = fieldsOf(value, 'a missing property')
  const fault = isFields(localized) && isFields(localized['fault']) ? localized['fault'] : {}
  const type = typeof fault['_typeName'] === 'string' ? fault['_typeName'] : 'unknown'
  return [textOf(path, 'the path of a missing property'), { type, fields: fault }]
}
