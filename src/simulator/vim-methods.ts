import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { entityMethods } from './entity-methods.ts'
import { descendants, findByPath } from './inventory.ts'
import { isA } from './managed-object.ts'
import { onePage, retrieve, retrieveRequest } from './property-collector.ts'
import { type Lookup, moRef } from './selection.ts'
import type { Session } from './sessions.ts'
import type { VCenter } from './vcenter.ts'
import { invalidArgument, managedObjectNotFound } from './vim-fault.ts'
import { bare, flag, type Json, type Reference, reference, references, texts } from './vim-value.ts'
import { instanceUuidOf } from './vm-properties.ts'

export interface MethodContext {
  /** The object the method is called on. */
  readonly self: Reference
  readonly vcenter: VCenter
  readonly session: Session
  readonly lookup: Lookup
}

/** Takes the request's body and gives the result, or nothing. Faults and bad bodies are thrown. */
export type Method = (body: Json, context: MethodContext) => Json | undefined

/** Every method that can be called with a session, by type and WSDL name. */
export const methods: Readonly<Record<string, Method | undefined>> = {
  ...entityMethods,
  'SessionManager.Logout': (_, { vcenter, session }) => {
    vcenter.sessions.end(session)
    return undefined
  },
  'ViewManager.CreateContainerView': createContainerView,
  'ContainerView.DestroyView': (_, { session, self }) => {
    session.views.delete(self.id)
    return undefined
  },
  'PropertyCollector.RetrievePropertiesEx': (body, { vcenter, session, lookup }) => {
    const request = retrieveRequest.parse(body)
    const rest = retrieve(request, lookup)
    if (rest.length === 0) return undefined
    return onePage({ rest, maxObjects: request.options.maxObjects }, vcenter.world.pageCap, session.pages)
  },
  'PropertyCollector.ContinueRetrievePropertiesEx': (body, { vcenter, session }) => {
    const { token } = z.object({ token: z.string() }).parse(body)
    const page = session.pages.get(token)
    if (!page) throw invalidArgument('token')
    session.pages.delete(token)
    return onePage(page, vcenter.world.pageCap, session.pages)
  },
  'PropertyCollector.CancelRetrievePropertiesEx': (body, { session }) => {
    session.pages.delete(z.object({ token: z.string() }).parse(body).token)
    return undefined
  },
  'SearchIndex.FindAllByUuid': (body, context) => findByUuid(body, context).map(bare),
  'SearchIndex.FindByUuid': (body, context) => {
    const [first] = findByUuid(body, context)
    return first && bare(first)
  },
  'SearchIndex.FindByInventoryPath': (body, { vcenter }) => {
    const { inventoryPath } = z.object({ inventoryPath: z.string() }).parse(body)
    const found = findByPath(vcenter.inventory, inventoryPath)
    return found && bare(found.ref)
  },
}

const viewRequest = z.object({ container: moRef, type: z.array(z.string()).optional(), recursive: z.boolean() })

function createContainerView(body: Json, { vcenter, session }: MethodContext): Json {
  const { container, type: types = ['ManagedEntity'], recursive } = viewRequest.parse(body)
  const find = () => {
    const found = vcenter.inventory.byId.get(container.id)
    if (found?.ref.type !== container.type) throw managedObjectNotFound(container)
    return found
  }
  find()
  // Looked up again on every read: a view follows the inventory.
  const members = () => {
    const below = recursive ? descendants(find()) : find().children
    return below.map((entity) => entity.ref).filter((ref) => types.some((type) => isA(ref.type, type)))
  }
  const ref = reference('ContainerView', `session[${session.key}]${randomUUID()}`)
  const properties = () => ({ container, type: texts(types), recursive: flag(recursive), view: references(members()) })
  session.views.set(ref.id, { ref, properties })
  return bare(ref)
}

const uuidRequest = z.object({
  uuid: z.string(),
  vmSearch: z.boolean(),
  instanceUuid: z.boolean().optional(),
  datacenter: moRef.optional(),
})

/** Hosts have no UUID here, so only a search for VMs finds something. */
function findByUuid(body: Json, { vcenter, lookup }: MethodContext): readonly Reference[] {
  const { uuid, vmSearch, instanceUuid, datacenter } = uuidRequest.parse(body)
  if (datacenter) lookup(datacenter)
  if (!vmSearch) return []
  const { root, byId } = vcenter.inventory
  const below = descendants((datacenter && byId.get(datacenter.id)) ?? root)
  return below.flatMap(({ ref, placedVm }) => {
    if (!placedVm || placedVm.vm.noConfig) return []
    const own = instanceUuid ? instanceUuidOf(placedVm.vm) : placedVm.vm.uuid
    return own.toLowerCase() === uuid.toLowerCase() ? [ref] : []
  })
}
