import type { Live } from '../login.ts'
import { restCall } from '../rest-calls.ts'
import type { Session } from '../session.ts'
import type { HttpTransport } from '../transport/http.ts'
import { readDiskLatency } from './latency.ts'
import type { VCenterSources } from './model.ts'
import { findByPath } from './paths.ts'
import { readCompatible, readPolicies } from './policies.ts'
import { readPrivileges } from './privileges.ts'
import { type RestApi, restApi } from './rest-api.ts'
import { readTags } from './tags.ts'
import { readRecentTasks } from './tasks.ts'

/** The sources on one session, for one round: tags and categories are asked for once. */
export function sourcesOf(
  transport: HttpTransport,
  session: Session,
  signal: AbortSignal,
  translate: <T>(work: Promise<T>) => Promise<T>,
): VCenterSources {
  const asked = new WeakMap<Live, Map<string, Promise<unknown>>>()
  const onVim = <T>(work: (live: Live, linked: AbortSignal) => Promise<T>) => translate(session.use(signal, work))
  const onRest = <T>(work: (rest: RestApi) => Promise<T>) =>
    onVim(async (live, linked) => {
      const login = await session.rest(live, linked)
      const answers = asked.get(live) ?? new Map<string, Promise<unknown>>()
      asked.set(live, answers)
      const call = (method: 'GET' | 'POST', path: string, body?: string) =>
        restCall(transport, login, { method, path, signal: linked, ...(body !== undefined && { body }) })
      return work(restApi(login.api, answers, call))
    })
  return {
    find: (paths) => onVim((live, linked) => findByPath(live, paths, linked)),
    privileges: (on) => onVim((live, linked) => readPrivileges(live, on, transport.maxBodyBytes, linked)),
    tags: (on) => onRest((rest) => readTags(rest, on)),
    storagePolicies: () => onRest(readPolicies),
    compatibleDatastores: (policy, datastores) => onRest((rest) => readCompatible(rest, policy, datastores)),
    diskLatency: (vms) => onVim((live, linked) => readDiskLatency(live, vms, linked)),
    recentTasks: () => onVim(readRecentTasks),
  }
}
