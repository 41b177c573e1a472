import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
let later = 0
beforeAll(async () => {
  world = await startWorld({ now: () => new Date(Date.now() + later) })
})
afterAll(() => world.stop())
beforeEach(async () => {
  later = 0
  ann = await world.member('Ann')
  bea = await world.member('Bea')
})

const typesOf = async () =>
  (await world.core.log.read(`pair-${[ann.id, bea.id].sort().join('_')}`)).map(({ type }) => type)

async function tokenNow(): Promise<string> {
  const body = JSON.stringify({ email: ann.email, password: ann.password })
  return (await (await world.api('/auth/login', { method: 'POST', body })).json()).token
}

async function sent(path: string, body: object, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${await tokenNow()}`, 'Idempotency-Key': key }
  return (await world.api(path, { method: 'POST', body: JSON.stringify(body), headers })).status
}

test('a write whose answer was lost is the same command when its key comes again', async () => {
  const key = randomUUID()
  const buzz = () => sent('/likes', { to: bea.id }, key)
  const keep = vi.spyOn(world.services.idempotency, 'keep').mockRejectedValueOnce(new Error('The database is away.'))
  expect(await buzz()).toBe(500)
  keep.mockRestore()
  later = 1_000
  expect([await buzz(), await buzz()]).toEqual([200, 200])
  expect(await typesOf()).toEqual(['Buzzed'])
})

test('a late retry of a program undoes nothing that its sender did since, and shuts out anew', async () => {
  const [key, blocking] = [randomUUID(), randomUUID()]
  const call = async (method: string, path: string, key: string, body?: object) => {
    const headers = { 'Idempotency-Key': key }
    const answer = await world.api(path, { as: ann, method, headers, ...(body && { body: JSON.stringify(body) }) })
    await world.settled()
    return answer.status
  }
  const block = () => call('POST', '/block', blocking, { targetId: bea.id })
  const lost = () =>
    vi.spyOn(world.services.idempotency, 'keep').mockRejectedValueOnce(new Error('The database is away.'))
  let keep = lost()
  expect(await block()).toBe(500)
  keep.mockRestore()
  keep = lost()
  expect(await call('DELETE', `/blocks/${bea.id}`, key)).toBe(500)
  keep.mockRestore()
  expect(await block()).toBe(200)
  expect(await call('DELETE', `/blocks/${bea.id}`, key)).toBe(200)
  expect(await typesOf()).toEqual(['Blocked', 'Unblocked', 'Blocked'])
})

test('a late retry of an edit leaves the newer one as it is', async () => {
  const edit = async (bio: string, key: string) => {
    const body = JSON.stringify({ bio })
    const headers = { 'Idempotency-Key': key }
    const answer = await world.api('/users/me', { as: ann, method: 'PUT', headers, body })
    await world.settled()
    return answer.status
  }
  const key = randomUUID()
  const keep = vi.spyOn(world.services.idempotency, 'keep').mockRejectedValueOnce(new Error('The database is away.'))
  expect(await edit('Old', key)).toBe(500)
  keep.mockRestore()
  expect(await edit('New', randomUUID())).toBe(200)
  later = 61_000
  expect(await edit('Old', key)).toBe(200)
  const own = await (await world.api('/users/me', { as: ann })).json()
  expect(own).toMatchObject({ bio: 'New' })
})

test('fifty equal writes at once with one key are one, and all get its answer', async () => {
  const headers = { 'Idempotency-Key': randomUUID() }
  const init = { as: ann, method: 'POST', headers, body: JSON.stringify({ to: bea.id }) }
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.api('/likes', init)))
  const got = await Promise.all(answers.map(async (one) => `${one.status} ${await one.text()}`))
  expect([...new Set(got)]).toEqual(['200 {"success":true,"matched":false}'])
  expect(await typesOf()).toEqual(['Buzzed'])
})

test('a write whose first request does not end is to be sent again later', async () => {
  const [key, body] = [randomUUID(), JSON.stringify({ to: bea.id })]
  const first = { member: ann.id, route: 'POST /likes', key, request: `/api/likes\n${body}` }
  const claim = await world.services.idempotency.claim(first)
  if (claim.state !== 'first') expect.unreachable(claim.state)
  const again = () => world.api('/likes', { as: ann, method: 'POST', headers: { 'Idempotency-Key': key }, body })
  const late = await again()
  const { error, retryInMs } = await late.json()
  const answer = [late.status, late.headers.get('Retry-After'), retryInMs, error]
  expect(answer).toEqual([503, '1', 1_000, 'The first request with this Idempotency-Key is still running.'])
  await world.services.idempotency.release(claim.claimed)
  expect((await again()).status).toBe(200)
})

test('a key whose first request was refused may carry another one', async () => {
  const key = randomUUID()
  const cat = await world.member('Cat')
  await world.block(bea, ann)
  await world.settled()
  expect([await sent('/likes', { to: bea.id }, key), await sent('/likes', { to: bea.id }, key)]).toEqual([403, 403])
  expect(await sent('/likes', { to: cat.id }, key)).toBe(200)
  expect(await sent('/likes', { to: bea.id }, key)).toBe(409)
})

test('what was not found is looked for again under the same key', async () => {
  const headers = { 'Idempotency-Key': randomUUID() }
  const unblock = async () => (await world.api(`/blocks/${bea.id}`, { as: ann, method: 'DELETE', headers })).status
  expect(await unblock()).toBe(404)
  await world.block(ann, bea)
  await world.settled()
  expect(await unblock()).toBe(200)
  expect(await typesOf()).toEqual(['Blocked', 'Unblocked'])
})

test('an old form of a block, sent again after the unblock, blocks again', async () => {
  const commandId = randomUUID()
  const form = (fields: Record<string, string>) =>
    world.page(`/block/${bea.id}`, { as: ann, method: 'POST', body: new URLSearchParams(fields) })
  expect((await form({ intent: 'confirm', commandId })).status).toBe(302)
  await world.settled()
  expect((await form({ intent: 'unblock', commandId: randomUUID() })).status).toBe(302)
  await world.settled()
  expect((await form({ intent: 'confirm', commandId })).status).toBe(302)
  expect(await typesOf()).toEqual(['Blocked', 'Unblocked', 'Blocked'])
})
