import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../../../services/log.ts'
import { type LEAVE, leaveAfter } from '../../../support/servers/leaving.ts'
import { until } from '../../../support/until.ts'
import { startWorld, type World } from '../../../support/world.ts'
import type { Person } from '../../../support/world-people.ts'

let world: World
let bea: Person
const errors: string[] = []
beforeAll(async () => {
  const destination = { write: (line: string) => void errors.push(line) }
  world = await startWorld({ logger: createLogger({ level: 'error', destination }) })
  bea = await world.member('Bea')
}, 120_000)
afterAll(() => world?.stop())

const WAYS = (['closes', 'breaks off'] as const).flatMap((way) =>
  [0, 20, 100].flatMap((ms) => ['a known token', 'a token nobody looked up yet'].map((token) => ({ way, ms, token }))),
)

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string }

/** Sends it in one piece, and leaves after so long without a look at the answer. */
async function sendAndLeave({ method, path, headers, body = '' }: Sent, way: keyof typeof LEAVE, ms: number) {
  const { host, port } = new URL(world.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const all = { Host: host, 'Content-Length': String(body.length), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`
  await new Promise((sent) => socket.resume().write(text, sent))
  await leaveAfter(socket, way, ms)
}

const shows = async (path: string, as: Person, text: string) =>
  (await (await world.api(path, { as })).text()).includes(text)

test.each(WAYS)('what a member with $token sent whole is done where they $way after $ms ms', async (given) => {
  const ann = await world.member('Ann')
  await world.match(ann, bea)
  if (given.token === 'a known token') expect((await world.api('/auth/me', { as: ann })).status).toBe(200)
  const headers = { Authorization: `Bearer ${ann.token}` }
  const json = { ...headers, 'Content-Type': 'application/json' }
  const send = (method: string, path: string, body?: unknown) =>
    sendAndLeave(
      { method, path: `/api${path}`, ...(body ? { headers: json, body: JSON.stringify(body) } : { headers }) },
      given.way,
      given.ms,
    )
  await send('POST', `/chat/${bea.id}/messages`, { id: randomUUID(), text: 'I left' })
  await until('the message is there', () => shows(`/chat/${ann.id}/messages`, bea, 'I left'))
  await send('PUT', '/users/me', { bio: 'I was gone by then' })
  await until('the bio is there', () => shows('/users/me', ann, 'I was gone by then'))
  await send('POST', '/auth/logout')
  await until('the session is over', async () => (await world.api('/auth/me', { as: ann })).status === 401)
  expect(errors).toEqual([])
})

test.each(WAYS.filter(({ token }) => token === 'a known token'))(
  'a form of a stranger who $way after $ms ms is done',
  async ({ way, ms }) => {
    const email = `${randomUUID()}@example.com`
    const headers = { Origin: world.url, 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ email }).toString()
    await sendAndLeave({ method: 'POST', path: '/signup', headers, body }, way, ms)
    await until('the code is mailed', async () => (await world.mail(email)) !== null)
    expect(errors).toEqual([])
  },
)
