import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Absent, Target } from './target.ts'

const AT_ONCE = 40
const LARGE = 'x'.repeat(1024 * 1024)
const RESUMES = 30
/** For what is answered to all that a socket sent. */
const PATIENCE_MS = 1_000
/** For half a megabyte several times. */
const REPLAY_PATIENCE_MS = 5_000

/** A socket; resolves when it is open, or null when it is refused. */
function open({ port, address, tally }: Target): Promise<WebSocket | null> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime`, {
    localAddress: address,
    origin: `http://127.0.0.1:${port}`,
  })
  const refused = (outcome: string) => {
    tally.count(outcome, false)
    return null
  }
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_, answer) => {
      resolve(refused(String(answer.statusCode)))
      answer.destroy()
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })
}

/** The code with which the product closed it, or null where it did not in time. */
async function closedBy(socket: WebSocket): Promise<number | null> {
  const closed = new Promise<number>((done) => socket.once('close', done))
  const code = await Promise.race([closed, pause(PATIENCE_MS, null)])
  socket.terminate()
  return code
}

/** Sockets that send nothing, as many as are let in. */
export async function socketFlood(target: Target): Promise<void> {
  const all: WebSocket[] = []
  while (!target.stopped()) {
    const opened = await Promise.all(Array.from({ length: AT_ONCE }, () => open(target)))
    const here = opened.filter((socket) => socket !== null)
    for (const socket of here) {
      target.tally.count('open', true)
      socket.once('close', (code) => target.tally.count(code, false))
    }
    all.push(...here)
    if (here.length === 0) await pause(100)
  }
  for (const socket of all) socket.removeAllListeners('close').terminate()
}

const LANES = 8
/** How a connection ends that nobody closed by a frame. */
const WITHOUT_FRAME = 1006

/** Opens one socket after the other, from each address in turn, and does one thing with each. */
async function again(
  target: Target,
  act: (socket: WebSocket, turn: number) => Promise<void>,
  addresses: readonly string[] = [target.address],
): Promise<void> {
  let [opened, turn] = [0, 0]
  const lane = async () => {
    while (!target.stopped()) {
      const socket = await open({ ...target, address: addresses[opened++ % addresses.length] as string })
      if (socket) await act(socket, turn++)
      else await pause(50)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const FRAMES: readonly (readonly string[])[] = [
  [LARGE],
  Array<string>(10).fill('{'),
  Array<string>(10).fill('[]'),
  Array<string>(10).fill('x'.repeat(16_000)),
]

/** Frames of a megabyte, and many small ones that are no frames. */
export const oversizedFrames = (target: Target) =>
  again(target, async (socket, turn) => {
    for (const frame of FRAMES[turn % FRAMES.length]!) socket.send(frame, () => undefined)
    const code = await closedBy(socket)
    target.tally.count(code ?? 'open', code !== null && code !== WITHOUT_FRAME)
  })

/** Empty pings and pongs, which ask for nothing, from every address: each may open thirty sockets a minute. */
export const controlFrames = (target: Target) =>
  again(
    target,
    async (socket) => {
      for (let sent = 0; sent < 5_000 && socket.readyState === WebSocket.OPEN; sent++)
        socket[sent % 2 ? 'ping' : 'pong']('', true, () => undefined)
      const code = await closedBy(socket)
      target.tally.count(code ?? 'open', code !== null && code !== WITHOUT_FRAME)
    },
    target.addresses,
  )

/** Sockets of members who were away, which ask for all they missed again and again: each time that it is sent counts. */
export const resumeStorm = (target: Target) =>
  again(target, async (socket, turn) => {
    const { token, last } = target.absent[turn % target.absent.length] as Absent
    const answered = new Promise<void>((done) => {
      let answers = 0
      let missed = 0
      socket.on('message', (text) => {
        const frame = JSON.parse(String(text)) as { type: string; epoch: string; reason?: string }
        if (frame.type === 'ready') {
          const resume = JSON.stringify({ type: 'resume', last, epoch: frame.epoch })
          for (let sent = 0; sent < RESUMES; sent++) socket.send(resume, () => undefined)
        } else if (frame.type === 'event') missed++
        else if (frame.type !== 'signal') {
          target.tally.count(missed > 0 ? 'replayed' : (frame.reason ?? frame.type), missed > 0)
          missed = 0
          // One to `auth`, which resumes too.
          if (++answers > RESUMES) done()
        }
      })
      socket.once('close', () => done())
    })
    socket.send(JSON.stringify({ type: 'auth', token, last }))
    await Promise.race([answered, pause(REPLAY_PATIENCE_MS)])
    socket.terminate()
  })

const BATCH = 10
const BETWEEN_MS = 500

/** Messages of members to each other, at once as many as no socket ends for: each that is stored counts. */
export const socketMessages = (target: Target) =>
  again(target, async (socket, turn) => {
    const { token, id: from, other: to } = target.absent[turn % target.absent.length] as Absent
    const data = () => ({ to, id: randomUUID(), roomId: [from, to].sort().join('_'), text: 'Another one.' })
    const message = () => JSON.stringify({ type: 'direct:message', id: randomUUID(), data: data() })
    socket.on('message', (text) => {
      const { type, code } = JSON.parse(String(text)) as { type: string; code?: string }
      if (type === 'ack') target.tally.count('stored', true)
      if (type === 'error') target.tally.count(code ?? type, false)
    })
    socket.once('close', (code) => target.tally.count(code, false))
    socket.send(JSON.stringify({ type: 'auth', token }))
    while (!target.stopped() && socket.readyState === WebSocket.OPEN) {
      for (let sent = 0; sent < BATCH; sent++) socket.send(message(), () => undefined)
      await pause(BETWEEN_MS)
    }
    socket.removeAllListeners('close').terminate()
  })
