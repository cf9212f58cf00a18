import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP server on loopback for the length of the test; gives its port. */
export async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** Joins an incoming connection with one to `port`. */
export function join(socket: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1')
  onward.on('error', () => socket.destroy())
  socket.on('close', () => onward.destroy())
  socket.pipe(onward).pipe(socket)
}

/** A proxy that leads every CONNECT to `port`. */
export function connectProxy(port: number, onRequest: (head: string) => void): Promise<number> {
  return listen((socket) => {
    socket.once('data', (head) => {
      onRequest(String(head))
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      join(socket, port)
    })
  })
}
