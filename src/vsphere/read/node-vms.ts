import type { ManagedRead } from '../../framework/context.ts'
import { swapUuid } from '../../framework/uuid.ts'
import type { Live } from '../login.ts'
import type { MoRef } from '../vim/model.ts'
import { decodeObject } from './decode.ts'
import { type ObjectContent, retrieve } from './retrieve.ts'
import { withContainerView } from './view.ts'

const uuidsPerPage = 1_000
const vmsPerPage = 500
/** How long a VM that was cloned with a node's UUID may stay unseen while all nodes are where they were. */
const searchEveryMs = 15 * 60_000
const type = 'VirtualMachine'

type Vms = ReadonlyMap<string, ManagedRead<'vm'>>

/** Finds the VMs behind nodes among all others, and remembers where they were. */
export class NodeVms {
  /** Managed object id → BIOS UUID, as last seen. */
  #uuids = new Map<string, string>()
  #searchedAt = Number.NEGATIVE_INFINITY
  #instanceUuid: string | undefined

  /** The VMs with one of `wanted`: several where a UUID is in use more than once. */
  async read(live: Live, wanted: ReadonlySet<string>, paths: ReadonlySet<string>, signal: AbortSignal): Promise<Vms> {
    this.#forgetAnotherInstance(live)
    if (wanted.size === 0) return new Map()
    const isDue = Date.now() - this.#searchedAt >= searchEveryMs
    if (isDue) await this.#search(live, signal)
    const vms = await this.#readProperties(live, this.#remembered(wanted), paths, signal)
    if (isDue || isComplete(wanted, vms)) return vms
    await this.#search(live, signal)
    const others = this.#remembered(wanted).filter((id) => !vms.has(id))
    return new Map([...vms, ...(await this.#readProperties(live, others, paths, signal))])
  }

  /** Managed object ids mean nothing outside the vCenter that gave them, and a name can pass to a new one. */
  #forgetAnotherInstance({ vim }: Live): void {
    const { instanceUuid } = vim.content.about
    if (this.#instanceUuid !== instanceUuid) this.#searchedAt = Number.NEGATIVE_INFINITY
    this.#instanceUuid = instanceUuid
  }

  #remembered(wanted: ReadonlySet<string>): readonly string[] {
    return [...this.#uuids].filter(([, uuid]) => wanted.has(uuid)).map(([id]) => id)
  }

  async #search(live: Live, signal: AbortSignal): Promise<void> {
    const found = new Map<string, string>()
    const paths = new Map([[type, ['config.uuid']]])
    await withContainerView(live, [type], signal, (view) =>
      retrieve(live, { view }, paths, uuidsPerPage, signal, (page) => {
        for (const content of page) {
          const uuid = uuidOf(content)
          if (uuid !== undefined) found.set(content.obj.value, uuid)
        }
      }),
    )
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
    const vm = decodeObject('vm', paths, live.unknownProperties, content)
    const uuid = this.#uuids.get(content.obj.value)
    if (vm.values['config.uuid'] !== undefined || uuid === undefined) return vm
    const { 'config.uuid': _, ...unreadable } = vm.unreadable
    return { values: { ...vm.values, 'config.uuid': uuid }, unreadable }
  }
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

function chunks<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}
