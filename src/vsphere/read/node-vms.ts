import type { ManagedRead } from '../../framework/context.ts'
import { swapUuid } from '../../framework/uuid.ts'
import type { Live } from '../login.ts'
import type { MoRef } from '../vim/model.ts'
import { chunks } from './chunks.ts'
import { decodeObject } from './decode.ts'
import { type ObjectContent, retrieve } from './retrieve.ts'
import { withContainerView } from './view.ts'

const uuidsPerPage = 1_000
const vmsPerPage = 500
/** How long a VM that was cloned with a node's UUID may stay unseen while all nodes are where they were. */
const searchEveryMs = 15 * 60_000
const type = 'VirtualMachine'

type Vms = ReadonlyMap<string, ManagedRead<'vm'>>

export interface NodeVmsRead {
  readonly vms: Vms
  /** Names of VMs that tell no UUID, where there are any: a node's VM may be among them. */
  readonly withoutUuid: readonly string[]
}

/** Finds the VMs behind nodes among all others, and remembers where they were. */
export class NodeVms {
  /** Managed object id → BIOS UUID, as last seen. */
  #uuids = new Map<string, string>()
  #withoutUuid: readonly string[] = []
  #searchedAt = Number.NEGATIVE_INFINITY
  #instanceUuid: string | undefined

  /** The VMs with one of `wanted`: several where a UUID is in use more than once. */
  async read(
    live: Live,
    wanted: ReadonlySet<string>,
    paths: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<NodeVmsRead> {
    this.#forgetAnotherInstance(live)
    if (wanted.size === 0) return { vms: new Map(), withoutUuid: [] }
    const isDue = Date.now() - this.#searchedAt >= searchEveryMs
    if (isDue) await this.#search(live, signal)
    const vms = await this.#readProperties(live, this.#remembered(wanted), paths, signal)
    if (isDue || isComplete(wanted, vms)) return { vms, withoutUuid: this.#withoutUuid }
    await this.#search(live, signal)
    const others = this.#remembered(wanted).filter((id) => !vms.has(id))
    const all = new Map([...vms, ...(await this.#readProperties(live, others, paths, signal))])
    return { vms: all, withoutUuid: this.#withoutUuid }
  }

  /** Managed object ids mean nothing outside the vCenter that gave them, and a name can pass to a new one. */
  #forgetAnotherInstance({ vim }: Live): void {
    const { instanceUuid } = vim.content.about
    if (this.#instanceUuid === instanceUuid) return
    this.#instanceUuid = instanceUuid
    this.#searchedAt = Number.NEGATIVE_INFINITY
    this.#uuids = new Map()
  }

  #remembered(wanted: ReadonlySet<string>): readonly string[] {
    return [...this.#uuids].filter(([, uuid]) => wanted.has(uuid)).map(([id]) => id)
  }

  async #search(live: Live, signal: AbortSignal): Promise<void> {
    const found = new Map<string, string>()
    const shy = new Set<string>()
    const paths = new Map([[type, ['config.uuid']]])
    await withContainerView(live, [type], signal, (view) =>
      retrieve(live, { view }, paths, uuidsPerPage, signal, (page) => {
        for (const content of page) {
          const { value: id } = content.obj
          // One that we knew before it lost its configuration is still the same VM.
          const uuid = uuidOf(content) ?? this.#uuids.get(id)
          if (uuid !== undefined) found.set(id, uuid)
          else shy.add(id)
        }
      }),
    )
    this.#withoutUuid = shy.size === 0 ? [] : await namesOf(live, shy, signal)
    this.#uuids = found
    this.#searchedAt = Date.now()
  }

  async #readProperties(live: Live, ids: readonly string[], paths: ReadonlySet<string>, signal: AbortSignal) {
    const vms = new Map<string, ManagedRead<'vm'>>()
    const asked = new Set(paths).add('config.uuid')
    const known = new Map([[type, [...asked].filter((path) => !live.unknownProperties.has(path))]])
    const onPage = (page: readonly ObjectContent[]) => {
      for (const content of page) {
        const { value: id } = content.obj
        if (this.#isStillThere(content)) vms.set(id, this.#decode(live, asked, content))
      }
    }
    await Promise.all(
      chunks(ids, vmsPerPage).map((chunk) => {
        const refs = chunk.map((value): MoRef => ({ type, value }))
        return retrieve(live, { refs }, known, vmsPerPage, signal, onPage)
      }),
    )
    for (const id of ids) if (!vms.has(id)) this.#uuids.delete(id)
    return vms
  }

  /** Deleted, or given another UUID, since we last looked: then it is no node's VM any more. */
  #isStillThere(content: ObjectContent): boolean {
    const uuid = uuidOf(content)
    if (uuid !== undefined) return uuid === this.#uuids.get(content.obj.value)
    return ![...content.faults.values()].some((fault) => fault.type === 'ManagedObjectNotFound')
  }

  /** A VM whose host is gone loses its configuration for a while; that it is this node's VM stays known. */
  #decode(live: Live, paths: Iterable<string>, content: ObjectContent): ManagedRead<'vm'> {
    const vm = decodeObject('vm', paths, live, content)
    const uuid = this.#uuids.get(content.obj.value)
    if (vm.values['config.uuid'] !== undefined || uuid === undefined) return vm
    const { 'config.uuid': _, ...unreadable } = vm.unreadable
    return { values: { ...vm.values, 'config.uuid': uuid }, unreadable }
  }
}

/** Whoever hides the name too cannot be told from any other VM, and is left out. */
async function namesOf(live: Live, ids: Iterable<string>, signal: AbortSignal): Promise<readonly string[]> {
  const refs = Array.from(ids, (value): MoRef => ({ type, value }))
  const names = new Map<string, string>()
  await retrieve(live, { refs }, new Map([[type, ['name']]]), uuidsPerPage, signal, (page) => {
    for (const { obj, values } of page) {
      const name = values.get('name')
      if (typeof name === 'string') names.set(obj.value, name)
    }
  })
  return [...names.values()]
}

/** Whether each UUID was found, as given or with its first three groups byte-swapped. */
function isComplete(wanted: ReadonlySet<string>, vms: Vms): boolean {
  const found = new Set([...vms.values()].map((vm) => vm.values['config.uuid']))
  return [...wanted].every((uuid) => found.has(uuid) || found.has(swapUuid(uuid)))
}

function uuidOf({ values }: ObjectContent): string | undefined {
  const uuid = values.get('config.uuid')
  return typeof uuid === 'string' && uuid !== '' ? uuid.toLowerCase() : undefined
}
