import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../../../services/log.ts'
import { Peer } from '../../../realtime/peer.ts'
import { codeOf } from '../../../support/newcomers.ts'
import { type Claims, type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../../../support/outside/google.ts'
import { visitGoogle } from '../../../support/outside/google-visit.ts'
import { until } from '../../../support/until.ts'
import { startWorld, type World } from '../../../support/world.ts'

type Line = { kind?: string; who?: string; where?: string; route?: string }
let world: World
let fake: FakeGoogle
const lines: string[] = []
const peers: Peer[] = []
beforeAll(async () => {
  fake = await startGoogle()
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } })
  world = await startWorld({ logger, config: { google: GOOGLE_CLIENT } })
})
afterAll(async () => {
  for (const peer of peers) peer.ws.terminate()
  await world.stop()
  fake.stop()
})
beforeEach(() => void lines.splice(0))

const KINDS =
  /^(login|login-failed|new-device|code-asked|code-failed|address-proved|password-reset|reauthenticated|limit-hit|denied)$/
const events = () => lines.map((line) => JSON.parse(line) as Line).filter(({ kind }) => KINDS.test(kind ?? ''))
/** Once there are so many. */
async function noted(count: number): Promise<string[]> {
  await until(`${count} events stand in the log`, () => events().length >= count)
  for (const { where } of events()) expect(where).toMatch(/^[\w-]{16}$/)
  return events().map(({ kind, route }) => `${kind} ${route}`)
}
const call = (path: string, body: object) => world.api(path, { method: 'POST', body: JSON.stringify(body) })
const google = async (claims: Claims) => call('/auth/google', { token: await fake.idToken(claims) })

test('whom Google vouches for, and whom it does not, stand in the log', async () => {
  const claims = { sub: 'gus', email: 'gus@example.com' }
  const gus = await world.member('Gus')
  const identity = await world.services.google!.verify(await fake.idToken(claims))
  const known = { google_key: identity!.googleKey, password_hash: null }
  await world.core.storage.app.updateTable('credential').set(known).where('member', '=', gus.id).execute()
  const newcomer = { sub: 'nia', email: 'nia@example.com' }
  expect((await google(claims)).status).toBe(200)
  expect((await google(newcomer)).status).toBe(200)
  expect((await call('/auth/google', { token: await fake.forged(claims) })).status).toBe(401)
  const path = '/api/auth/google'
  expect(await noted(4)).toEqual([
    `login ${path}`,
    `new-device ${path}`,
    `address-proved ${path}`,
    `login-failed ${path}`,
  ])

  lines.length = 0
  await (await visitGoogle(world, fake, claims)).finish()
  await (await visitGoogle(world, fake, newcomer, { from: 'signup' })).finish()
  await (await visitGoogle(world, fake, claims, { nonce: 'of another flow' })).finish()
  await (await visitGoogle(world, fake, claims)).back('error=access_denied')
  const back = '/auth/google/callback'
  expect(await noted(5)).toEqual([
    `login ${back}`,
    `new-device ${back}`,
    `address-proved ${back}`,
    `login-failed ${back}`,
    `login-failed ${back}`,
  ])
  const text = lines.join('')
  for (const secret of ['gus@', 'nia@', identity!.googleKey, gus.id]) expect(text).not.toContain(secret)
})

test('the codes of mails stand in the log, asked for, right and wrong, with whose address it is', async () => {
  const email = 'zoe@example.com'
  await call('/auth/send-code', { email })
  await call('/auth/verify-code', { email, code: await another(email) })
  await call('/auth/verify-code', { email, code: await codeOf(world, email) })
  expect(await noted(3)).toEqual([
    'code-asked /api/auth/send-code',
    'code-failed /api/auth/verify-code',
    'address-proved /api/auth/verify-code',
  ])
  const whose = new Set(events().map(({ who }) => who))
  expect([...whose]).toEqual([expect.stringMatching(/^[\w-]{16}$/)])
  expect(lines.join('')).not.toContain('zoe')
})

test('a reset of the password stands in the log, asked for, tried in vain and done', async () => {
  const { email } = await world.member('Rea')
  lines.length = 0
  const newPassword = 'amber-walrus-71-kite'
  const answers = [await call('/auth/forgot-password', { email })]
  await until('the mail is there', async () => (await codeOf(world, email)) !== 'no code')
  for (const code of [await another(email), await codeOf(world, email)])
    answers.push(await call('/auth/reset-password', { email, code, newPassword }))
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
  expect(await noted(3)).toEqual([
    'code-asked /api/auth/forgot-password',
    'code-failed /api/auth/reset-password',
    'password-reset /api/auth/reset-password',
  ])
  expect(new Set(events().map(({ who }) => who)).size).toBe(1)
  lines.length = 0
  await world.page('/forgot-password?link=AAAAAAAAAAAAAAAAAAAAAA')
  expect(await noted(1)).toEqual(['code-failed /forgot-password'])
  expect(lines.join('')).not.toContain('AAAAAAAA')
})

test('a password of who is signed in already stands in the log, right and wrong', async () => {
  const pat = await world.member('Pat')
  lines.length = 0
  const headers = { Authorization: `Bearer ${pat.token}` }
  const ask = (password: string) =>
    world.api('/account/export', { method: 'POST', headers, body: JSON.stringify({ password }) })
  expect((await ask('a wrong guess')).status).toBe(403)
  expect((await ask(pat.password)).status).toBeLessThan(300)
  expect(await noted(2)).toEqual(['denied /api/account/export', 'reauthenticated /api/account/export'])
  expect(new Set(events().map(({ who }) => who)).size).toBe(1)
})

test('a socket without a session, of a foreign page or with too many frames stands in the log', async () => {
  const { port } = world.config
  const sam = await world.member('Sam')
  lines.length = 0
  const socket = (origin = `http://127.0.0.1:${port}`) => {
    const peer = new Peer(port, { origin })
    peers.push(peer)
    return peer
  }
  const stranger = socket()
  await stranger.opened
  stranger.send({ type: 'auth', token: 'of-nobody' })
  await stranger.closed
  await socket('https://elsewhere.example').opened.catch(() => undefined)
  expect(await noted(2)).toEqual(['denied /realtime', 'denied /realtime'])
  lines.length = 0
  const member = socket()
  await member.opened
  member.send({ type: 'auth', token: sam.token })
  await member.next('ready')
  for (let sent = 0; sent < 2_000; sent++) member.ws.send('{}')
  await member.closed
  expect(await noted(1)).toEqual(['limit-hit /realtime'])
  expect(events()[0]?.who).toMatch(/^[\w-]{16}$/)
  expect(lines.join('')).not.toContain(sam.id)
})

test('a flood of sockets of a foreign page is a few lines', async () => {
  const refuse = () =>
    new Peer(world.config.port, { origin: 'https://elsewhere.example' }).opened.catch(() => undefined)
  for (let sent = 0; sent < 60; sent++) await refuse()
  expect(events().length).toBeLessThanOrEqual(20)
})

test('an event has the pattern of its page, never the address that was asked for', async () => {
  await world.api('/chat/somebody-else/messages')
  const paths = ['/audit/somebody', '/nowhere/somebody']
  for (const path of paths) await world.page(path, { method: 'POST', headers: { Origin: 'https://elsewhere.example' } })
  expect(await noted(3)).toEqual(['denied /api/chat/:userId/messages', 'denied /audit/:member', 'denied /*'])
  expect(lines.join('')).not.toContain('somebody')
})

/** Six digits that are not the code. */
const another = async (email: string) => String((Number(await codeOf(world, email)) + 1) % 1_000_000).padStart(6, '0')
