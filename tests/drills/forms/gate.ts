import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port before the product that can be shut, as one whose server is stopped, and opened again. */
export async function startGate(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connect(port, '127.0.0.1')
    for (const one of [socket, other]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => sockets.delete(one))
    }
    socket.pipe(other).pipe(socket)
    socket.on('close', () => other.destroy())
    other.on('close', () => socket.destroy())
  })
  const listen = (at: number) => new Promise<void>((done) => server.listen(at, '127.0.0.1', done))
  await listen(0)
  const own = (server.address() as AddressInfo).port
  const shut = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
  return { port: own, shut, open: () => (server.listening ? Promise.resolve() : listen(own)) }
}
export type Gate = Awaited<ReturnType<typeof startGate>>
