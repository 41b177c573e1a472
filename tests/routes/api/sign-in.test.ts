import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const newDevices = async ({ id }: Person) => {
  const events = await world.core.log.read(`member-${id}`)
  return events.filter(({ type }) => type === 'SignedInOnNewDevice').length
}

test('a program that signs in again and again is announced once, and another one beside it', async () => {
  const ann = await world.join('Ann')
  const signIn = async (agent: string) => {
    const body = JSON.stringify({ email: ann.email, password: ann.password })
    const answer = await world.api('/auth/login', { method: 'POST', headers: { 'User-Agent': agent }, body })
    expect(answer.status).toBe(200)
  }
  for (let n = 0; n < 3; n++) await signIn('curl/8.5.0')
  expect(await newDevices(ann)).toBe(1)
  await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  expect(await newDevices(ann)).toBe(2)
  for (const agent of ['okhttp/4.9', 'okhttp/5.0 (another release)']) await signIn(agent)
  expect(await newDevices(ann)).toBe(3)
})

test('a ticket is a new one each time, whatever key its request has', async () => {
  const bea = await world.member('Bea')
  const ask = async () => {
    const headers = { 'Idempotency-Key': 'the same' }
    return (await (await world.api('/auth/ticket', { as: bea, method: 'POST', headers })).json()) as { ticket: string }
  }
  expect((await ask()).ticket).not.toBe((await ask()).ticket)
})
