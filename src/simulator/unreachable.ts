import { createServer } from 'node:net'

/** A vCenter that is not there: connecting to it is refused. */
export interface UnreachableVCenter {
  readonly name: string
  readonly host: '127.0.0.1'
  readonly port: number
}

/** Takes a free loopback port and gives it back, so that nobody listens on it. */
export async function startUnreachable(name: string): Promise<UnreachableVCenter> {
  const server = createServer()
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error(`No free loopback port for ${name}.`))
      else resolve(address.port)
    })
  })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return { name, host: '127.0.0.1', port }
}
