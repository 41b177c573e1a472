import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { SESSION_COOKIE } from '../../app/lib/request/session-cookie.server.ts'
import { descendantsOf, freePort, type Program, startProgram } from '../drills/program-child.ts'
import { type Caller, call, signUpMany } from '../drills/program-people.ts'
import { Peer } from '../realtime/peer.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { type Figure, ms, percentile, spread } from './figures.ts'
import { benchPages } from './pages.ts'

const MEMBERS = 30
const COMMANDS = 200
const MESSAGES = 200
/** Below the rate at which a socket counts as a flood. */
const MESSAGE_GAP_MS = 60
/** Nobody has asked for anything since the start: what it took to start is given back by then. */
const REST_MS = 30_000
const LISBON = { lat: 38.72, lng: -9.14 }

/** The running product, started as `npm start` does, with members who signed up; then once more, as on any other day. */
export async function benchProduct(): Promise<Figure[]> {
  const dataDir = makeTempDir('letsbuzz-bench-')
  try {
    const first = await startProgram({ dataDir, port: await freePort() })
    const figures = await benchRunning(first).finally(() => first.stop())
    const again = await startProgram({ dataDir, port: await freePort() })
    try {
      await pause(REST_MS)
      return [...figures, startOf(first, again), memoryOf(again)]
    } finally {
      await again.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function benchRunning(program: Program): Promise<Figure[]> {
  const members = await signUpMany(program.url, MEMBERS)
  for (const { token } of members) await call(program.url, '/location', { token, body: LISBON })
  const [a, b, viewer] = members as [Caller, Caller, Caller]
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const)
    await call(program.url, '/likes', { token: from.token, body: { to: to.id } })
  return [
    await benchVisible(program, a, b),
    await benchTalk(program, a, b),
    ...(await benchPages(program.url, `${SESSION_COOKIE}=${viewer.token}`)),
  ]
}

/** With the pages built: the first start makes its databases. */
const startOf = (first: Program, again: Program): Figure => ({
  what: 'from start to ready, pages built',
  value: `first ${ms(first.readyMs)}, again ${ms(again.readyMs)}`,
})

/** From sending a command until the other member's page, asked at once, shows its effect. */
async function benchVisible({ url }: Program, a: Caller, b: Caller): Promise<Figure> {
  const times: number[] = []
  for (let n = 0; n < COMMANDS; n++) {
    const id = randomUUID()
    const startedAt = performance.now()
    await call(url, `/chat/${b.id}/messages`, { token: a.token, body: { id, text: 'Seen?' } })
    for (let seen = false; !seen; ) {
      const answer = await call(url, `/chat/${a.id}/messages?limit=1`, { token: b.token })
      const { messages } = (await answer.json()) as { messages: { id: string }[] }
      seen = messages[0]?.id === id
    }
    times.push(performance.now() - startedAt)
  }
  return {
    what: 'command to visible for the other',
    value: `p50 ${ms(percentile(times, 0.5))}, p95 ${ms(percentile(times, 0.95))}`,
  }
}

/** From one member's socket to the other's, stored before it is sent on. */
async function benchTalk({ url }: Program, a: Caller, b: Caller): Promise<Figure> {
  const [from, to] = [await signedIn(url, a), await signedIn(url, b)]
  const roomId = [a.id, b.id].sort().join('_')
  const times: number[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const id = randomUUID()
    const startedAt = performance.now()
    const arrived = arrivalOf(to, id)
    from.send({ type: 'direct:message', id, data: { to: b.id, id, roomId, text: 'Live?' } })
    await Promise.race([arrived, from.closed.then(refuse), to.closed.then(refuse)])
    times.push(performance.now() - startedAt)
    await pause(MESSAGE_GAP_MS)
  }
  for (const peer of [from, to]) peer.ws.close()
  return { what: "message to the other's socket", value: spread(times) }
}

function refuse(code: number): never {
  throw new Error(`A socket was closed with ${code}.`)
}

async function signedIn(url: string, { token }: Caller): Promise<Peer> {
  const { port } = new URL(url)
  const peer = new Peer(Number(port), { origin: `http://127.0.0.1:${port}` })
  await peer.opened
  peer.send({ type: 'auth', token })
  await peer.next('ready')
  return peer
}

function arrivalOf({ ws }: Peer, id: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: Buffer) => {
      if (!data.includes(id) || !data.includes('direct:message')) return
      ws.off('message', look)
      resolve()
    }
    ws.on('message', look)
  })
}

/** Resident memory of the web process, of the others that run our code, and of Postgres' own. */
function memoryOf({ pid }: Program): Figure {
  const all = descendantsOf(pid).map((one) => ({ name: commandOf(one), kb: memoryKb(one) }))
  const sum = (some: typeof all) => some.reduce((total, { kb }) => total + kb, 0)
  const mb = (kb: number) => `${Math.round(kb / 1024)} MB`
  const postgres = all.filter(({ name }) => name.includes('postgres'))
  const others = all.filter(({ name }) => !name.includes('postgres'))
  const [web, total] = [memoryKb(pid), memoryKb(pid) + sum(all)]
  return {
    what: 'memory at rest, started again',
    value: `${mb(total)}: web ${mb(web)}, log and guard ${mb(sum(others))}, Postgres ${mb(sum(postgres))}`,
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Shared pages count once, divided among those who share them. */
function memoryKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
