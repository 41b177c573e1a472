import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { Peer } from '../../realtime/peer.ts'
import { holdNode } from '../../support/described/hold-node.ts'

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
export type Asking = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: object }
/** A connection that stays open, to one worker. */
export type Kept = { readonly worker: number; ask(path: string, asking?: Asking): Promise<Answer>; close(): void }

/** The kernel's number of the server's end of a connection, from Linux' table of them. */
function inodeOf(serverPort: number, clientPort: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const fields = lines.map((line) => line.trim().split(/\s+/))
  return fields.find(
    ([, own, other]) => own?.endsWith(`:${hex(serverPort)}`) && other?.endsWith(`:${hex(clientPort)}`),
  )?.[9]
}

function hasOpen(pid: number, inode: string): boolean {
  const link = (file: string) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`)
    } catch {
      return ''
    }
  }
  return readdirSync(`/proc/${pid}/fd`).some((file) => link(file) === `socket:[${inode}]`)
}

/** Which of these processes has the other end; -1 where none has it. */
function workerAt(workers: readonly number[], port: number, socket: Socket): number {
  const inode = inodeOf(port, socket.localPort ?? 0)
  return workers.find((pid) => inode !== undefined && hasOpen(pid, inode)) ?? -1
}

const MOST_TRIES = 40

async function untilAt<T extends { readonly worker: number; close(): void }>(worker: number, open: () => Promise<T>) {
  for (let n = 0; n < MOST_TRIES; n++) {
    const one = await open()
    if (one.worker === worker) return one
    one.close()
  }
  throw new Error(`No connection came to ${worker}.`)
}

/** A connection that this worker answers. */
export const connectionTo = (port: number, worker: number, workers: readonly number[]): Promise<Kept> =>
  untilAt(worker, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let socket: Socket | undefined
    const ask: Kept['ask'] = (path, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const type: Record<string, string> = body ? { 'Content-Type': 'application/json' } : {}
        const options = { agent, port, host: '127.0.0.1', path, method, headers: { ...type, ...headers } }
        const asked = request(options, async (answer) => {
          const pieces: Buffer[] = []
          for await (const piece of answer) pieces.push(piece)
          const whole = Buffer.concat(pieces)
          await holdNode(`http://localhost:${port}${path}`, method, answer, whole)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: whole.toString() })
        })
        asked.on('socket', (used) => {
          socket = used
        })
        asked.on('error', reject).end(body && JSON.stringify(body))
      })
    await ask('/healthz')
    return { worker: workerAt(workers, port, socket!), ask, close: () => agent.destroy() }
  })

/** Of a page over a connection of its own. */
export const statusOfNew = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ agent: false, port, host: '127.0.0.1', path: '/privacy' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', reject).end()
  })

/** A member's socket at this worker. */
export async function peerAt(port: number, worker: number, workers: readonly number[], token: string): Promise<Peer> {
  const { peer } = await untilAt(worker, async () => {
    const peer = new Peer(port, { origin: `http://127.0.0.1:${port}` })
    await peer.opened
    const { _socket: socket } = peer.ws as unknown as { _socket: Socket }
    return { peer, worker: workerAt(workers, port, socket), close: () => peer.ws.terminate() }
  })
  peer.send({ type: 'auth', token })
  await peer.next('ready')
  return peer
}
