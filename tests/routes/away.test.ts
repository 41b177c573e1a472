import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isAway } from '../../app/request/away.server.ts'
import type { HttpServer } from '../../server/http/http-server.ts'
import { pagesOver, pagesOverSilentLog, type SilentPages } from '../support/away.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

const AWAY = 'LetsBuzz is not answering right now. Please try again in a moment.'

let world: World
let [ann, bea] = [{}, {}] as [Person, Person]
let logAway: SilentPages
/** Over a Postgres whose port is closed. */
let rowsAway: HttpServer
let pool: pg.Pool

beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
  ;[ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  logAway = await pagesOverSilentLog(world)
  const { core } = world.product
  pool = new pg.Pool({ ...world.stores.database, host: '127.0.0.1', port: 1 })
  const read = new Kysely({ dialect: new PostgresDialect({ pool }) }) as typeof world.read
  rowsAway = await pagesOver(world, { ...core, storage: { ...core.storage, read } })
})
afterAll(async () => {
  await logAway.stop()
  await rowsAway.close()
  await pool.end()
  await world.stop()
})

const ask = ({ port }: { port: number }, path: string, init: RequestInit = {}) =>
  fetch(`http://localhost:${port}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { Cookie: ann.cookie, ...(init.method && { Origin: `http://localhost:${port}` }), ...init.headers },
  })
const message = (text: string, id: string = randomUUID()) => new URLSearchParams({ intent: 'send', id, text })
const head = ({ status, headers }: Response) => [status, headers.get('Retry-After')]

test('a call that writes while the log is silent answers 503 in JSON with when to try again', async () => {
  const answer = await ask(logAway, `/api/chat/${bea.id}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ann.token}` },
    body: JSON.stringify({ id: randomUUID(), text: 'Anybody?' }),
  })
  expect(head(answer)).toEqual([503, '5'])
  expect(await answer.json()).toEqual({ error: AWAY, retryInMs: 5_000 })
})

test('who writes hears within three seconds that the log is silent, however long the log itself may take', async () => {
  const patient = await pagesOverSilentLog(world, 60_000)
  onTestFinished(() => patient.stop())
  const path = `/chat/${bea.id}`
  // What the first request of a process takes once is no part of it.
  await ask(patient, '/login')
  for (const send of [
    () => ask(patient, path, { method: 'POST', body: message('Anybody?') }),
    () => ask(patient, `${path}.data`, { method: 'POST', body: message('Anybody?') }),
  ]) {
    const startedAt = performance.now()
    expect(head(await send())).toEqual([503, '5'])
    const seconds = (performance.now() - startedAt) / 1_000
    expect(seconds).toBeGreaterThan(2.9)
    expect(seconds).toBeLessThan(5)
  }
})

test('a form sent without script while the log is silent comes back with what was typed, to be sent again once', async () => {
  const [id, text] = [randomUUID(), 'Tea at "five" & cake <soon>\nwith Ann']
  const refused = await ask(logAway, `/chat/${bea.id}`, { method: 'POST', body: message(text, id) })
  expect(head(refused)).toEqual([503, '5'])
  const page = await refused.text()
  expect(page).toContain(AWAY)
  expect(page).toContain(`<form method="post" action="/chat/${bea.id}">`)
  const fields = [...page.matchAll(/<textarea hidden name="(\w+)">\n([^<]*)<\/textarea>/g)].map(
    ([, name = '', value]) => [name, value!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))],
  )
  expect(fields).toEqual([...message(text, id)])
  for (const expected of [302, 302]) {
    const again = await world.page(`/chat/${bea.id}`, {
      as: ann,
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    expect(again.status).toBe(expected)
  }
  await world.settled()
  const shown = await (await world.api(`/chat/${ann.id}/messages`, { as: bea })).json()
  expect((shown as { messages: { text: string }[] }).messages.map((one) => one.text)).toEqual([text])
})

test('a page never holds a password that was typed', async () => {
  const body = new URLSearchParams({ email: ann.email, password: ann.password })
  const refused = await ask(rowsAway, '/login', { method: 'POST', headers: { Cookie: '' }, body })
  expect(refused.status).not.toBe(500)
  expect(await refused.text()).not.toContain(ann.password)
})

test("a page's script gets the answer in its own format, and keeps the page", async () => {
  const answer = await ask(logAway, `/chat/${bea.id}.data`, { method: 'POST', body: message('By script') })
  expect(head(answer)).toEqual([503, '5'])
  expect(answer.headers.get('Content-Type')).toContain('text/x-script')
  const words = await answer.text()
  expect(words).toContain(AWAY)
  expect(words).toContain('"unavailable"')
})

test('while Postgres is away, pages, their data and calls say so with 503', async () => {
  const pages = [await ask(rowsAway, '/chat'), await ask(rowsAway, '/chat.data')]
  const call = await ask(rowsAway, '/api/users/me', { headers: { Authorization: `Bearer ${ann.token}` } })
  expect([...pages, call].map(head)).toEqual([503, 503, 503].map((status) => [status, '5']))
  for (const page of pages) expect(await page.text()).toContain(AWAY)
  expect(await call.json()).toEqual({ error: AWAY, retryInMs: 5_000 })
})

test("over the limit of an address a page's script hears how long to wait, as a page does", async () => {
  for (const network of ['127.0.0.1', '0:0:0:0']) await world.services.limits.take('IP', network, 600)
  const [page, loaded, sent] = [
    await world.page('/chat', { as: ann }),
    await world.page('/chat.data', { as: ann }),
    await world.page(`/chat/${bea.id}.data`, { as: ann, method: 'POST', body: message('Too soon') }),
  ]
  for (const answer of [page, loaded, sent]) {
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await answer.text()).toMatch(
      /Too many requests\. Please try again later\. It works again in \d+ (second|minute)s?\./,
    )
  }
  for (const { headers } of [loaded, sent]) expect(headers.get('Content-Type')).toContain('text/x-script')
  const shown = await world.core.log.read(`pair-${[ann.id, bea.id].sort().join('_')}`)
  expect(shown.filter(({ type }) => type === 'MessageSent')).toHaveLength(1)
})

test('a mistake of ours, a broken rule of a table and a missing file are not taken for an outage', () => {
  const coded = (code: string, more = {}) => Object.assign(new Error('x'), { code, ...more })
  for (const error of [new TypeError('x'), coded('23505'), coded('ENOENT', { syscall: 'open' }), 'text', null])
    expect(isAway(error)).toBe(false)
  for (const error of [
    coded('57P01'),
    coded('57014'),
    new Error('The connection to Postgres is silent.'),
    coded('ENOENT', { syscall: 'connect' }),
    new Error('x', { cause: coded('EPIPE') }),
  ])
    expect(isAway(error)).toBe(true)
})
