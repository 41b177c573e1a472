import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './target.ts'

const KEPT = 300
const DRIP_MS = 500

/** With each connection: what is done when it is new, and with how many half seconds it is old each half second. */
type Kept = {
  readonly begin: (socket: Socket) => void
  readonly goOn: (socket: Socket, age: number) => void
  readonly halfOpen?: boolean
}

/** Opens connections, from each address in turn, and opens them again as they are closed. */
async function keepOpen(
  { port, stopped }: Target,
  addresses: readonly string[],
  { begin, goOn, halfOpen = false }: Kept,
): Promise<void> {
  const ages = new Map<Socket, number>()
  let turn = 0
  while (!stopped()) {
    for (let missing = KEPT - ages.size; missing > 0; missing--) {
      const socket = connect({
        port,
        host: '127.0.0.1',
        localAddress: addresses[turn++ % addresses.length],
        allowHalfOpen: halfOpen,
      })
      ages.set(socket, 0)
      socket.on('close', () => ages.delete(socket))
      socket.on('error', () => socket.destroy())
      begin(socket)
    }
    await pause(DRIP_MS)
    for (const [socket, age] of ages) {
      ages.set(socket, age + 1)
      goOn(socket, age + 1)
    }
  }
  for (const socket of ages.keys()) socket.destroy()
}

/** A byte every half second; it has come through where the second one still can be sent. */
const drip = (target: Target, addresses: readonly string[], greet: string) =>
  keepOpen(target, addresses, {
    begin(socket) {
      socket.once('data', (answer: Buffer) => target.tally.count(statusOf(answer), false))
      socket.write(greet)
    },
    goOn(socket, age) {
      if (age === 2) target.tally.count('dripping', true)
      socket.write('a')
    },
  })

const OK = '200'
const statusOf = (answer: Buffer) => /^HTTP\/1\.1 (\d{3})/.exec(String(answer.subarray(0, 20)))?.[1] ?? 'no status'

const head = (first: string, url: string, ...lines: readonly string[]) =>
  [`${first} HTTP/1.1`, `Host: ${new URL(url).host}`, ...lines].join('\r\n')

/** Headers that never end. */
export const slowHeader = (target: Target) => drip(target, [target.address], `${head('GET /', target.url)}\r\nX-A: `)

/** Bodies that come a byte at a time, from every address: each may begin sixty a minute. */
export function slowBody(target: Target): Promise<void> {
  const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 200000']
  return drip(
    target,
    target.addresses,
    `${head('POST /login', target.url, `Origin: ${target.url}`, ...form)}\r\n\r\nemail=`,
  )
}

const HALF_CLOSED_AGE = 8

/** Requests whose sender closes one half, and reads no more than that an answer comes. */
export const halfClosed = (target: Target) =>
  keepOpen(target, [target.address], {
    halfOpen: true,
    begin(socket) {
      socket.once('readable', () => {
        // Nothing is there to read where it was closed.
        const answer: Buffer | null = socket.read()
        const outcome = answer ? statusOf(answer) : 'closed'
        target.tally.count(outcome, outcome === OK || outcome === 'closed')
      })
      socket.end(`${head('GET /login', target.url)}\r\n\r\n`)
    },
    goOn(socket, age) {
      if (age === HALF_CLOSED_AGE) socket.destroy()
    },
  })

const LANES = 5
const PATIENCE_MS = 50

/** Opens one connection after the other; each is closed once it was given up. */
async function openAgain(
  { port, address, stopped }: Target,
  giveUp: (socket: Socket) => Promise<unknown>,
  lanes = LANES,
): Promise<void> {
  const lane = async () => {
    while (!stopped()) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address })
      socket.on('error', () => socket.destroy())
      // It may end by an error long before it is given up.
      const closed = once(socket, 'close').catch(() => undefined)
      await giveUp(socket)
      socket.destroy()
      await closed
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Pages that nobody waits for. */
export const abandonedPages = (target: Target) =>
  openAgain(target, async (socket) => {
    let outcome = 'left'
    socket.once('data', (answer: Buffer) => {
      outcome = statusOf(answer)
    })
    socket.write(`${head('GET /login', target.url)}\r\n\r\n`)
    await pause(PATIENCE_MS)
    target.tally.count(outcome, outcome === 'left' || outcome === OK)
  })

const TOGETHER = 2_300
const FLOODS = 20
const CLOSED_MS = 1_000

/** Thousands of requests in one piece, over connections that the product ends. */
export const pipelined = (target: Target) =>
  openAgain(
    target,
    async (socket) => {
      const closed = new Promise<boolean>((done) => void socket.once('close', () => done(true)).resume())
      socket.write(`${head('GET /login', target.url)}\r\n\r\n`.repeat(TOGETHER))
      const isClosed = await Promise.race([closed, pause(CLOSED_MS, false)])
      target.tally.count(isClosed ? 'closed' : 'open', isClosed)
    },
    FLOODS,
  )

/** Connections over which nothing is asked. */
export const emptyConnections = (target: Target) =>
  openAgain(target, async (socket) => {
    socket.resume()
    const connected = once(socket, 'connect').then(() => true)
    const isOpen = await Promise.race([connected, once(socket, 'close').then(() => false)]).catch(() => false)
    target.tally.count(isOpen ? 'open' : 'cut', isOpen)
  })
