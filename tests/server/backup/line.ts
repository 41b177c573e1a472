import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'

const GOODBYE = Buffer.from([0x58, 0, 0, 0, 4])

/** The way to a test's Postgres over TCP, until the end of the test. `config` connects through it. */
export type Line = {
  readonly config: pg.ClientConfig
  /** How many connections were asked for. */
  asked(): number
  /** Nothing passes any more, and whoever connects gets no answer. */
  freeze(): void
  /** It passes again; whoever waits for an answer has to connect anew. */
  thaw(): void
  /** The callers' ends of all connections close. */
  cut(): void
}

/** The server never learns that a caller has left: it sees neither the last word nor the end. */
export async function lineTo(config: pg.ClientConfig): Promise<Line> {
  const { host = '', port = 5432 } = config
  const sockets = new Set<Socket>()
  const callers = new Set<Socket>()
  let frozen = false
  let asked = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    return socket
  }
  const server = createServer((caller) => {
    asked++
    callers.add(keep(caller))
    if (frozen) return
    const postgres = keep(connect(join(host, `.s.PGSQL.${port}`)))
    caller.on('data', (part) => frozen || part.equals(GOODBYE) || postgres.write(part))
    postgres.on('data', (part) => frozen || caller.destroyed || caller.write(part))
    postgres.on('close', () => frozen || caller.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const cut = () => {
    for (const caller of callers) caller.destroy()
  }
  return {
    config: { ...config, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    asked: () => asked,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
      cut()
    },
    cut,
  }
}
