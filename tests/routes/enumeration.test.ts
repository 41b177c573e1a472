import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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
async function ask(path: string, body: object, at = world): Promise<Sample> {
  const startedAt = performance.now()
  const response = await at.api(path, { method: 'POST', body: JSON.stringify(body) })
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

/** The same call for every member and for as many strangers, turn by turn. */
async function compare(path: string, body: object): Promise<{ known: Sample[]; unknown: Sample[] }> {
  const [known, unknown]: [Sample[], Sample[]] = [[], []]
  for (const [n, { email }] of members.entries()) {
    known.push(await ask(path, { ...body, email }))
    unknown.push(await ask(path, { ...body, email: `stranger.${n}@example.com` }))
  }
  return { known, unknown }
}

/** Far above the noise of a busy machine, far below what a password or a mail server costs. */
const isAlike = ({ known, unknown }: { known: Sample[]; unknown: Sample[] }) =>
  Math.abs(median(known) - median(unknown)) < Math.max(5, median(known) / 2)

test.each(CALLS)('%s reveals nothing of whether an address has an account', async (path, body) => {
  await ask(path, { ...body, email: 'warm.up@example.com' })
  const first = await compare(path, body)
  const answersOf = (samples: readonly Sample[]) => [...new Set(samples.map(({ answer }) => answer))]
  expect(answersOf(first.known)).toEqual(answersOf(first.unknown))
  expect(answersOf(first.known)).toHaveLength(1)
  // What one address costs more than another it costs every time; what else the machine does, it does not.
  const alike = isAlike(first) || isAlike(await compare(path, body)) || isAlike(await compare(path, body))
  expect(alike).toBe(true)
})

test('whoever asks for a mail again within a minute is refused alike, with an account or without', async () => {
  const limited = await startWorld({ rateLimits: true })
  onTestFinished(() => limited.stop())
  for (const path of ['/auth/forgot-password', '/auth/send-code']) {
    const again = async (email: string) => {
      expect((await ask(path, { email }, limited)).answer).toMatch(/^200 /)
      // How long is left follows from when they asked.
      return (await ask(path, { email }, limited)).answer.replaceAll(/(?<=\D)\d+/g, 'N')
    }
    const { email } = await limited.join('Known')
    const known = await again(email)
    expect(known).toMatch(/^429 .*retry-after.*retryInMs/)
    expect(await again(`stranger${path.replaceAll('/', '.')}@example.com`)).toBe(known)
  }
})
