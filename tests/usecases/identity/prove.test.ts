import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_ENTITLEMENTS } from '../../../usecases/acting.ts'
import { deleteOwnAccount } from '../../../usecases/identity/delete-account.ts'
import { askForExport } from '../../../usecases/identity/export-data.ts'
import { prove, RECENT_MS } from '../../../usecases/identity/prove.ts'
import type { Ports, SignedIn } from '../../../usecases/ports.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let context: Ports
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
})
afterAll(() => world.stop())

/** The session of somebody, signed in so long ago. */
async function signedIn(person: Person, agoMs = RECENT_MS + 1): Promise<SignedIn> {
  const found = await world.services.sessions.find(person.token)
  const authAt = new Date(Date.now() - agoMs)
  const who = {
    member: person.id,
    session: found!.id,
    status: 'active',
    entitlements: NO_ENTITLEMENTS,
    authAt,
  } as const
  return { ...context, who }
}

test('the own password proves who one is; none, a wrong one and a long one do not', async () => {
  const ann = await world.member('Ann')
  const acting = await signedIn(ann)
  expect(await prove(acting, { password: '' })).toEqual({ ok: false, reason: 'password-required' })
  for (const wrong of ['somebody-elses-77', 'x'.repeat(2_000)])
    expect(await prove(acting, { password: wrong })).toEqual({ ok: false, reason: 'wrong-password' })
  expect(await prove(acting, ann)).toEqual({ ok: true, value: null })
})

test('guessing is slowed down, with how long to wait', async () => {
  const acting = await signedIn(await world.member('Bea'))
  const outcomes = []
  for (let tries = 0; tries < 20; tries++) outcomes.push(await prove(acting, { password: 'somebody-elses-77' }))
  expect(outcomes.at(-1)).toMatchObject({ ok: false, reason: 'too-many-tries', retryInMs: expect.any(Number) })
})

test('a copy of the data is asked for once a day', async () => {
  const cat = await world.member('Cat')
  expect(await askForExport(await signedIn(cat), {})).toEqual({ ok: false, reason: 'password-required' })
  expect(await askForExport(await signedIn(cat, 0), {})).toMatchObject({ ok: true, value: { state: 'preparing' } })
  const again = await askForExport(await signedIn(cat, 0), {})
  expect(again).toMatchObject({ ok: false, reason: 'asked-lately', retryInMs: expect.any(Number) })
})

test('an account is deleted by who proved it lately, or gives the password', async () => {
  const dan = await world.member('Dan')
  expect(await deleteOwnAccount(await signedIn(dan), {})).toEqual({ ok: false, reason: 'password-required' })
  const wrong = await deleteOwnAccount(await signedIn(dan, 0), { password: 'somebody-elses-77' })
  expect(wrong).toEqual({ ok: false, reason: 'wrong-password' })
  const acting = await signedIn(dan, 0)
  expect(await deleteOwnAccount(acting, {})).toEqual({ ok: true, value: null })
  expect(await deleteOwnAccount(acting, {})).toEqual({ ok: true, value: null })
  expect(await world.product.mailbox?.list({ to: dan.email })).toHaveLength(1)
})
