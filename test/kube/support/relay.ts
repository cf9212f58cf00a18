import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy between one replica and the vCenter. */
export interface Relay {
  readonly url: string
  /** When the replica said something to the vCenter, in milliseconds since the epoch. */
  readonly spokeAt: readonly number[]
}

/** Takes every connection that it is asked for to this port of the loopback interface; closed when the test ends. */
export async function aRelay(port: number): Promise<Relay> {
  const spokeAt: number[] = []
  const server = createServer()
  server.on('connect', (_request, client) => {
    const vcenter = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    client.on('data', () => spokeAt.push(Date.now()))
    client.pipe(vcenter).pipe(client)
    for (const [one, other] of [
      [client, vcenter],
      [vcenter, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port: own } = server.address() as AddressInfo // a TCP server that listens has one
  return { url: `http://127.0.0.1:${own}`, spokeAt }
}
