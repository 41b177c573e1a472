import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode } from '../../../realtime/protocol.ts'
import { isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { RATES } from '../../../services/limits/rates.ts'
import { freePort, type Program, startProgram } from '../../drills/program-child.ts'
import { Peer } from '../../realtime/peer.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { environmentOf, startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** Two processes that serve the members of one database; the first counts for both. */
let world: World
let first: Program
let second: Program
let limits: string
const folders: string[] = []
const peers: Peer[] = []

async function start(): Promise<Program> {
  const dataDir = makeTempDir('letsbuzz-split-')
  folders.push(dataDir)
  const own = { ROLES: 'web,realtime', RATE_LIMITS: 'on', TRUST_PROXY: '1', SHARED_LIMITS: limits }
  return startProgram({ dataDir, port: await freePort(), env: { ...environmentOf(world), ...own } })
}

beforeAll(async () => {
  world = await startWorld()
  limits = `127.0.0.1:${await freePort()}`
  first = await start()
  second = await start()
})
afterAll(async () => {
  for (const peer of peers) peer.ws.terminate()
  if (second && isAlive(second.pid)) process.kill(second.pid, 'SIGCONT')
  await Promise.all([first, second].map((program) => program?.kill('parent')))
  await world?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

let networks = 0
const newNetwork = () => `192.0.2.${++networks}`
const from = (network: string) => ({ 'X-Forwarded-For': network })
const statusOf = (at: Program, network: string) =>
  fetch(`${at.url}/api/openapi-is-no-call`, { headers: from(network) }).then(({ status }) => status)

/** How many requests of one network are let in, of more than one process would let in. */
async function letIn(...at: Program[]): Promise<number> {
  const network = newNetwork()
  const statuses: number[] = []
  while (statuses.length < RATES.ANONYMOUS.windows[0].points + 10)
    statuses.push(...(await Promise.all(at.map((one) => statusOf(one, network)))))
  return statuses.filter((status) => status !== 429).length
}

async function socket(at: Program, { token }: Person): Promise<Peer> {
  const { port } = new URL(at.url)
  const peer = new Peer(Number(port), { origin: `http://127.0.0.1:${port}`, headers: from('192.0.2.250') })
  peers.push(peer)
  await peer.opened
  peer.send({ type: 'auth', token })
  await peer.next('ready')
  return peer
}

/** Takes a turn at hashing, whoever it is. */
const signIn = (at: Program, name: string) =>
  fetch(`${at.url}/api/auth/login`, {
    method: 'POST',
    headers: { ...from(newNetwork()), 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: 'no such password' }),
  }).then(({ status }) => status)

test('what one network may ask for holds over both processes', async () => {
  expect(await letIn(first, second)).toBe(RATES.ANONYMOUS.windows[0].points)
})

test('a page of a process without a projector says what its read models show', async () => {
  const ann = await world.member('Ann')
  const head = await world.core.log.head()
  const page = await fetch(`${first.url}/discover.data?_routes=root`, { headers: { Cookie: ann.cookie } })
  expect(page.status).toBe(200)
  const [, pos] = /"pos","([^"]+)"/.exec(await page.text()) ?? []
  expect([pos, pos !== undefined && pos >= head]).toEqual([expect.stringMatching(/^\w{13,}/), true])
})

/** More sign-ins than have a turn at once, the first of which is answered. */
async function manySignIns(at: Program) {
  const asked = Array.from({ length: 12 }, (_, n) => signIn(at, `nobody${n}`).catch(() => null))
  await Promise.race(asked)
  return { statuses: Promise.all(asked).then((all) => new Set(all)) }
}

test('the turns of a frozen process are free again within seconds, and it counts with the other once it goes on', async () => {
  const { statuses } = await manySignIns(second)
  process.kill(second.pid, 'SIGSTOP')
  const startedAt = performance.now()
  expect(await signIn(first, 'nobody')).toBe(401)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  process.kill(second.pid, 'SIGCONT')
  expect(await statuses).toEqual(new Set([401]))
  await until('they count together', async () => (await letIn(first, second)) === RATES.ANONYMOUS.windows[0].points)
})

test('sockets of a member count over both processes, and what one has is free once it is killed', async () => {
  const ann = await world.member('Ann')
  const there: Peer[] = []
  for (let n = 0; n < 10; n++) there.push(await socket(second, ann))
  const here = [await socket(first, ann)]
  expect(await there[0]!.closed).toBe(CloseCode.tooManySockets)
  await manySignIns(second)
  await second.kill('parent')
  const killedAt = performance.now()
  expect(await signIn(first, 'nobody')).toBe(401)
  expect(performance.now() - killedAt).toBeLessThan(5_000)
  await Promise.all(there.map(({ closed }) => closed))
  for (let n = 1; n < 10; n++) here.push(await socket(first, ann))
  await here.at(-1)!.settled()
  expect(here.filter(({ ws }) => ws.readyState === ws.OPEN)).toHaveLength(10)
})

test('when the process that counts is killed, another one counts for those that are left', async () => {
  const [one, third] = await Promise.all([start(), start()])
  second = one
  try {
    await first.kill('parent')
    await until('they count together', async () => (await letIn(second, third)) === RATES.ANONYMOUS.windows[0].points)
  } finally {
    await third.kill('parent')
  }
})
