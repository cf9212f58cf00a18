import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createPlainServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
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
    join(client, vcenter)
  })
  return { url: `http://127.0.0.1:${await portOf(server)}`, spokeAt }
}

/** A line between one replica and a server. */
export interface Wire {
  readonly url: string
  /** Ends every connection; new ones are let through. */
  shake(): void
  /** Ends every connection; new ones are refused. */
  cut(): void
  /** They are let through again. */
  mend(): Promise<void>
}

/** Leads to the server at this address of the loopback interface; closed when the test ends. */
export async function aWire(to: string): Promise<Wire> {
  const open = new Set<Duplex>()
  const server = createPlainServer((client) => {
    const far = connect(Number(new URL(to).port), '127.0.0.1')
    for (const end of [client, far]) open.add(end)
    join(client, far)
  })
  const port = await portOf(server)
  const shake = () => {
    for (const end of open) end.destroy()
    open.clear()
  }
  return {
    url: `https://127.0.0.1:${port}`,
    shake,
    cut() {
      server.close()
      shake()
    },
    mend: () => new Promise((listening) => server.listen(port, '127.0.0.1', listening)),
  }
}

/** What one end says the other hears, until one of them ends. */
function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one)
  for (const [end, far] of [
    [one, other],
    [other, one],
  ] as const) {
    end.on('error', () => far.destroy())
    end.on('close', () => far.destroy())
  }
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port // a TCP server that listens has one
}
