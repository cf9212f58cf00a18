import { ask } from '../../http/client.ts'
import type { ControlPlane } from './start.ts'

/** Makes etcd forget what was before, as it does every few minutes: lists and watches cannot go on from there. */
export async function compact({ storage }: ControlPlane): Promise<void> {
  const call = async (path: string, body: object): Promise<{ readonly header: { readonly revision: string } }> => {
    const answer = await ask(`${storage}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`etcd does not ${path}: ${answer.status} ${answer.body}`)
    return JSON.parse(answer.body)
  }
  // Whichever key is asked for, the answer says what revision it is of.
  const { header } = await call('range', { key: Buffer.from('/').toString('base64') })
  await call('compaction', { revision: header.revision, physical: true })
}
