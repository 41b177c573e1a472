import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
afterAll(() => world.stop())

async function pair(): Promise<[Person, Person]> {
  const people: [Person, Person] = [await world.join('Ann'), await world.join('Bea')]
  await world.match(...people)
  await world.settled()
  return people
}

test('a refusal is kept under its key, and counts as a write: beyond the limit none is kept any more', async () => {
  const ann = await world.join('Ann')
  await world.settled()
  const skipOneself = async () => {
    const headers = { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' }
    const body = JSON.stringify({ to: ann.id })
    return (await world.api('/discover/skip', { as: ann, method: 'POST', headers, body })).status
  }
  const kept = async () => {
    const { app } = world.core.storage
    return (await app.selectFrom('idempotent_answer').select('id').where('member', '=', ann.id).execute()).length
  }
  const { limits } = world.services
  const [{ points }] = RATES.WRITE.windows
  expect([await skipOneself(), await kept()]).toEqual([400, 1])
  // The call counts once, its refusal once more: this leaves one for the next.
  await limits.take('WRITE', ann.id, points - 3)
  await skipOneself()
  expect(await kept()).toBe(1)
})

test('probes are read, and nothing else', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await fetch(world.url + path, { method: 'POST', headers: { Origin: world.url } })
    expect([path, answer.status, answer.headers.get('Allow')]).toEqual([path, 405, 'GET, HEAD'])
    expect((await fetch(world.url + path, { method: 'HEAD' })).status).toBe(200)
  }
})

test('a room offers to block a member, and nobody whose account is gone', async () => {
  const [ann, bea] = await pair()
  const link = async () =>
    (await (await world.page(`/chat/${bea.id}`, { as: ann })).text()).includes(`/block/${bea.id}`)
  expect(await link()).toBe(true)
  expect((await world.api('/account/delete', { as: bea, method: 'DELETE' })).status).toBe(200)
  await world.settled()
  expect(await link()).toBe(false)
})

test('a code that was wrong stays in its field', async () => {
  const { email } = await newcomer(world)
  const body = new URLSearchParams({ email, code: '12 34 5', intent: 'verify' })
  const page = await (await world.page('/signup', { method: 'POST', body })).text()
  expect(page).toContain('value="12 34 5"')
})

test('a report with a message that there is not is answered in its form, with the words still there', async () => {
  const [ann, bea] = await pair()
  const body = new URLSearchParams({ words: 'She was rude to me', commandId: world.newCommand() })
  const path = `/report/${bea.id}?message=${randomUUID()}`
  const answer = await world.page(path, { as: ann, method: 'POST', body })
  const page = await answer.text()
  expect([answer.status, page.includes('She was rude to me')]).toEqual([404, true])
})
