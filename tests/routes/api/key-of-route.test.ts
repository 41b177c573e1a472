import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

test('a key is of one route: another call may have the same (api-contract §6.0)', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const headers = { Authorization: `Bearer ${ann.token}`, 'Idempotency-Key': 'the-same' }
  const send = async (path: string, body: object) =>
    (await world.api(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  expect(await send('/likes', { to: bea.id })).toBe(200)
  expect(await send('/block', { targetId: bea.id })).toBe(200)
})
