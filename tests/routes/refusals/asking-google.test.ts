import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ANSWER_MS } from '../../../app/request/google.server.ts'
import { RATES } from '../../../services/limits/rates.ts'
import { type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../../support/outside/google.ts'
import { cookiesOf, leadsTo, memberOfGoogle, visitGoogle } from '../../support/outside/google-visit.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let fake: FakeGoogle
beforeAll(async () => {
  fake = await startGoogle()
  world = await startWorld({ rateLimits: true, config: { google: GOOGLE_CLIENT } })
}, 300_000)
afterAll(async () => {
  await world?.stop()
  fake?.stop()
})

const NETWORK = '127.0.0.1'
const [{ points }] = RATES.LOGIN_IP.windows
const SLOW_DOWN = '/login?google=slow-down'
const FAILED = '/login?google=google-failed'
const AWAY = '/login?google=google-away'
afterEach(() =>
  Promise.all([world.services.limits.reset('LOGIN_IP', NETWORK), world.services.limits.reset('ANONYMOUS', NETWORK)]),
)

/** A member who signs in with Google, and a browser's way back from there; `device`: the browser that it is. */
async function byGoogle(name: string) {
  const { claims } = await memberOfGoogle(world, fake, name)
  return async (device?: string, code?: string) => {
    const way = await visitGoogle(world, fake, claims)
    const cookies = [...cookiesOf(way.start), ...(device ? [device] : [])]
    const query = new URLSearchParams({ state: way.state, code: code ?? way.code })
    return way.back(query.toString(), { Cookie: cookies.join('; ') })
  }
}
const deviceIn = (response: Response) => cookiesOf(response).find((cookie) => cookie.startsWith('__Host-device='))!

test('a browser that the account knows comes back signed in whatever its network tried; of others Google is not asked', async () => {
  const [pia, ann] = [await byGoogle('Pia'), await byGoogle('Ann')]
  const device = deviceIn(await pia())
  await world.services.limits.take('LOGIN_IP', NETWORK, points)
  const before = fake.questions()
  expect(await leadsTo(await pia())).toBe(SLOW_DOWN)
  expect(await leadsTo(await pia('__Host-device=made-up'))).toBe(SLOW_DOWN)
  expect(fake.questions()).toBe(before)
  const back = await pia(device)
  expect([await leadsTo(back), cookiesOf(back).some((cookie) => /^__Host-buzz=./.test(cookie))]).toEqual(['/', true])
  expect(await leadsTo(await ann(device))).toBe(SLOW_DOWN)
})

test('codes that Google does not know count for their network, and a right one gives its try back', async () => {
  const bea = await byGoogle('Bea')
  await world.services.limits.take('LOGIN_IP', NETWORK, points - 2)
  expect(await leadsTo(await bea())).toBe('/')
  for (const _ of [1, 2]) expect(await leadsTo(await bea(undefined, 'made-up'))).toBe(FAILED)
  const before = fake.questions()
  expect(await leadsTo(await bea(undefined, 'made-up'))).toBe(SLOW_DOWN)
  expect(fake.questions()).toBe(before)
})

test('a known browser asks Google thirty times in a quarter of an hour, which costs its network nothing', async () => {
  const cat = await byGoogle('Cat')
  const device = deviceIn(await cat())
  const before = fake.questions()
  const led: (string | undefined)[] = []
  for (let n = 0; n < points + 1; n++) led.push(await leadsTo(await cat(device, 'made-up')))
  expect(led).toEqual([...Array(points).fill(FAILED), SLOW_DOWN])
  expect(fake.questions()).toBe(before + points)
  expect(await leadsTo(await cat())).toBe('/')
})

test('a Google that gives no answer is away after ten seconds, which costs the network no try', async () => {
  const dan = await byGoogle('Dan')
  await world.services.limits.take('LOGIN_IP', NETWORK, points - 1)
  expect(ANSWER_MS).toBe(10_000)
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === ANSWER_MS ? 1 : ms))
  onTestFinished(() => asked.mockRestore())
  fake.silence()
  expect(await leadsTo(await dan())).toBe(AWAY)
  expect(asked).toHaveBeenCalledWith(ANSWER_MS)
  asked.mockRestore()
  expect(await leadsTo(await dan())).toBe('/')
})
