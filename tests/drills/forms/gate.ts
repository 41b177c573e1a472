import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { until } from '../../support/until.ts'

const OPENS_WITHIN_MS = 30_000
const isSo = () => true

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
  const listen = (at: number) =>
    new Promise<void>((done, fail) => {
      server.once('error', fail)
      server.listen(at, '127.0.0.1', () => {
        server.off('error', fail)
        done()
      })
    })
  await listen(0)
  const own = (server.address() as AddressInfo).port
  const shut = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
  /** While it was shut, a connection of another program may have taken its port for a moment. */
  const open = () =>
    until('the gate is open', () => server.listening || listen(own).then(isSo, () => false), OPENS_WITHIN_MS)
  return { port: own, shut, open }
}
export type Gate = Awaited<ReturnType<typeof startGate>>
