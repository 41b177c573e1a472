import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

const EACH = 20
let world: World
const members: Person[] = []
beforeAll(async () => {
  world = await startWorld()
  for (let n = 0; n < EACH; n++) members.push(await world.join(`Member ${n}`))
})
afterAll(() => world.stop())

type Sample = { ms: number; answer: string }
async function ask(path: string, body: object): Promise<Sample> {
  const startedAt = performance.now()
  const response = await world.api(path, { method: 'POST', body: JSON.stringify(body) })
  const headers = [...response.headers.keys()].sort().join()
  return { ms: performance.now() - startedAt, answer: `${response.status} ${headers} ${await response.text()}` }
}
const median = (samples: readonly Sample[]) =>
  samples.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(samples.length / 2)] as number

/** Calls that anybody may make about an address (security A5); for a reset the code is a wrong one. */
const CALLS = [
  ['/auth/login', { password: 'not the password' }],
  ['/auth/forgot-password', {}],
  ['/auth/send-code', {}],
  ['/auth/verify-code', { code: '000000' }],
  ['/auth/reset-password', { code: '000000', newPassword: 'copper-meadow-77-train' }],
] as const

test.each(CALLS)('%s tells nothing of whether an address has an account', async (path, body) => {
  const [known, unknown]: [Sample[], Sample[]] = [[], []]
  await ask(path, { ...body, email: 'warm.up@example.com' })
  for (const [n, { email }] of members.entries()) {
    known.push(await ask(path, { ...body, email }))
    unknown.push(await ask(path, { ...body, email: `stranger.${n}@example.com` }))
  }
  const told = (samples: readonly Sample[]) => [...new Set(samples.map(({ answer }) => answer))]
  expect(told(known)).toEqual(told(unknown))
  expect(told(known)).toHaveLength(1)
  // Far above the noise of a busy machine, far below what a password or a mail server costs.
  expect(Math.abs(median(known) - median(unknown))).toBeLessThan(Math.max(5, median(known) / 2))
})
