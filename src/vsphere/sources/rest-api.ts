import type { RestLogin } from '../rest-calls.ts'
import { isFields } from '../vim/shape.ts'

/** REST calls of one round. What was asked for once is not asked for again. */
export interface RestApi {
  readonly api: RestLogin['api']
  get(path: string): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
  /** A path of the tagging service, as this API spells it. */
  tagging(what: 'category' | 'tag' | 'tag-association', id?: string, action?: string): string
}

export function restApi(
  api: RestLogin['api'],
  asked: Map<string, Promise<unknown>>,
  call: (method: 'GET' | 'POST', path: string, body?: string) => Promise<unknown>,
): RestApi {
  return {
    api,
    get: (path) => {
      const answer = asked.get(path) ?? call('GET', path).then((value) => unwrap(api, value))
      asked.set(path, answer)
      return answer
    },
    post: async (path, body) => unwrap(api, await call('POST', path, JSON.stringify(body))),
    tagging: (what, id, action) => {
      const base = api === 'api' ? `/api/cis/tagging/${what}` : `/rest/com/vmware/cis/tagging/${what}`
      const object = id === undefined ? '' : `/${api === 'api' ? '' : 'id:'}${encodeURIComponent(id)}`
      return `${base}${object}${action === undefined ? '' : `?${api === 'api' ? '' : '~'}action=${action}`}`
    },
  }
}

/** The older API puts every answer into a `value`. */
function unwrap(api: RestLogin['api'], value: unknown): unknown {
  return api === 'rest' && isFields(value) ? (value['value'] ?? undefined) : value
}
