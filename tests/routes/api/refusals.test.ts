import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg } from '../../services/support/pictures.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import { apiCalls } from './calls.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

const call = apiCalls(() => world)

test('a form with a key is refused, since nobody can see whether it is the same', async () => {
  const lil = await world.member('Lil')
  const kept = () => world.services.media.list({ member: lil.id })
  const before = (await kept()).length
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(await jpeg())], { type: 'image/jpeg' }), 'a.jpg')
  const headers = { Authorization: `Bearer ${lil.token}`, 'Idempotency-Key': randomUUID() }
  const answer = await fetch(`${world.url}/api/upload-media`, { method: 'POST', body, headers })
  const fields = { 'Idempotency-Key': 'A form cannot be sent with a key.' }
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'Invalid request.', fields }])
  expect(await kept()).toHaveLength(before)
})

test('a keyed write that asked for a fresh sign-in goes through after it', async () => {
  const kay = await world.member('Kay')
  const headers = { 'Idempotency-Key': randomUUID() }
  const remove = () => call('/account/delete', { as: kay, method: 'DELETE', body: {}, headers })
  const signedIn = (auth_at: Date) =>
    world.core.storage.app.updateTable('session').set({ auth_at }).where('member', '=', kay.id).execute()
  await signedIn(new Date(Date.now() - 3_600_000))
  expect(await remove()).toMatchObject({ status: 403, json: { code: 'reauth' } })
  await signedIn(new Date())
  expect(await remove()).toMatchObject({ status: 200, json: { success: true } })
})

test('a refusal says what is wrong and nothing else', async () => {
  const [ron, sue] = [await world.member('Ron'), await world.member('Sue')]
  await world.match(ron, sue)
  await world.settled()
  const credentials = { email: ron.email, password: ron.password }
  const tooLong = (await call(`/chat/${sue.id}/messages`, { as: ron, body: { id: 'm-1', text: 'x'.repeat(4001) } }))
    .json
  expect(tooLong.error).not.toBe('Invalid request.')
  for (const [path, sending, json] of [
    [`/chat/${sue.id}/messages`, { body: { id: 'm-2', text: 'x'.repeat(8001) } }, tooLong],
    ['/report', { body: { targetId: sue.id, reason: '\u0000' } }, { error: 'A reason is required.' }],
    [
      '/auth/login',
      { body: { ...credentials, remember: 'yes' } },
      { error: 'Invalid request.', fields: { remember: 'Use true or false.' } },
    ],
    [
      '/discover?lat=1&lng=1&lat=2',
      { method: 'GET' },
      { error: 'Invalid request.', fields: { lat: 'Give this once.' } },
    ],
  ] as const)
    expect([path, await call(path, { as: ron, ...sending })]).toMatchObject([path, { status: 400, json }])
  const nothing = await call('/auth/login', { body: { ...credentials, email: 7, remember: 'yes' } })
  expect(nothing.json.error).toBe('Email and password are required.')
})

test('two photos are two uploads, however their addresses are written (api-contract C05, spec 1 §5)', async () => {
  const { signupToken, payload } = await newcomer(world)
  const [one] = payload.photos as [string]
  const twice = [one, `${world.publicUrl}${one}`]
  const answer = await call('/auth/register-full', { body: { ...payload, photos: twice, signupToken } })
  expect([answer.status, answer.json.error]).toEqual([400, 'Please complete all required sections.'])
})
