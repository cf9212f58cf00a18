import { ApiServer } from './api-server.ts'
import { changesOf } from './changes.ts'
import { never, sourceOf } from './kubernetes.ts'
import { infrastructure, login, node, openshiftConfig, secret } from './objects.ts'

/** Times of a watch that a test need not wait for. */
export const watch = { pollMs: 40, listPollMs: 40, pauseMs: 5, quietMs: 20, latestMs: 500 }

/** A cluster that has been read and is now watched. */
export async function watched(prepare: (server: ApiServer) => void = () => {}) {
  const server = (await new ApiServer().start()).put(
    infrastructure(['vc-1']),
    openshiftConfig(['vc-1']),
    secret('kube-system/vsphere-creds', login('vc-1', 'u@d')),
    node('n1'),
    node('n2'),
  )
  prepare(server)
  const source = await sourceOf(server, { watch })
  await source.read(never)
  return { server, source, changes: changesOf(source) }
}

/** How often it was asked for what has this in its address. */
export const count = (server: ApiServer, part: string) => server.requests.filter((line) => line.includes(part)).length
