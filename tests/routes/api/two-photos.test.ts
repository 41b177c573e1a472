import { afterAll, beforeAll, expect, test } from 'vitest'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import { apiCalls } from '../api/calls.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())
const call = apiCalls(() => world)

test('two photos are two uploads, however their addresses are written (api-contract C05, spec 1 §5)', async () => {
  const { signupToken, payload } = await newcomer(world)
  const [one] = payload.photos as [string]
  const twice = [one, `${world.publicUrl}${one}`]
  const answer = await call('/auth/register-full', { body: { ...payload, photos: twice, signupToken } })
  expect([answer.status, answer.json.error]).toEqual([400, 'Please complete all required sections.'])
})
