import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
}, 120_000)
afterAll(() => world?.stop())

test('the wizard’s answers by the call are writes: 60 a minute (api-contract C08, WRITE)', async () => {
  const email = `new.${randomUUID().slice(0, 8)}@example.com`
  const { proofs, credentials } = world.services
  const { token } = await proofs.issue({ email, emailKey: credentials.emailKey(email), googleKey: randomUUID() })
  const statuses: number[] = []
  for (let n = 0; n <= RATES.WRITE.windows[0].points; n++) {
    const answer = await world.api('/users/me', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ firstName: `Ada ${n}` }),
    })
    statuses.push(answer.status)
  }
  expect(statuses.at(0)).toBe(200)
  expect(statuses.at(-1)).toBe(429)
})
