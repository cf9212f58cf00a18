import { fieldsOf, listOf, textOf } from '../vim/shape.ts'
import type { PolicyName } from './model.ts'
import type { RestApi } from './rest-api.ts'

/** The most that the API takes at once. */
const datastoresPerCall = 1_024

export async function readPolicies(rest: RestApi): Promise<readonly PolicyName[]> {
  return listOf(await rest.get(pathOf(rest))).map((value) => {
    const { policy, name } = fieldsOf(value, 'a storage policy')
    return { id: textOf(policy, 'a storage policy with an id'), name: textOf(name, 'a storage policy with a name') }
  })
}

export async function readCompatible(
  rest: RestApi,
  policy: string,
  datastores: readonly string[],
): Promise<ReadonlySet<string>> {
  const path = `${pathOf(rest)}/${encodeURIComponent(policy)}?action=check-compatibility`
  const compatible = new Set<string>()
  for (let at = 0; at < datastores.length; at += datastoresPerCall) {
    const answer = await rest.post(path, { datastores: datastores.slice(at, at + datastoresPerCall) })
    for (const value of listOf(fieldsOf(answer, 'a compatibility')['compatible_datastores'])) {
      compatible.add(
        textOf(fieldsOf(value, 'a compatible datastore')['datastore'], 'a compatible datastore with an id'),
      )
    }
  }
  return compatible
}

function pathOf({ api }: RestApi): string {
  return `/${api}/vcenter/storage/policies`
}
