import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_ENTITLEMENTS } from '../../../usecases/acting.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import type { Ports, SignedIn } from '../../../usecases/ports.ts'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { startSecondFactor } from '../../../usecases/second-factor/start.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { authenticator } from '../../support/outside/authenticator.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let context: Ports
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, context, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const label = 'A test'
const BROWSERS = 12
const BROWSERS_MOST = 50
/** Of whoever is not known and of one known browser, each a window of ten. */
const TRIES_MOST = 20

async function signedIn({ id: member, token }: Person): Promise<SignedIn> {
  const session = (await world.services.sessions.find(token))!.id
  const who = { member, session, status: 'active' as const, entitlements: NO_ENTITLEMENTS, authAt: new Date() }
  return { ...context, who }
}

/** As the owner does it on their own browser. */
async function turnOn(who: Person) {
  const acting = await signedIn(who)
  const started = await startSecondFactor(acting)
  if (!started.ok) throw new Error(started.reason)
  const app = authenticator(started.value.secret, () => new Date())
  expect((await confirmSecondFactor(acting, { code: app.next() })).ok).toBe(true)
  return app
}

/** How many wrong codes of this browser are looked at, in as many sign-ins as it takes. */
async function guesses({ email }: Person, device: string, wrong: () => string): Promise<number> {
  for (let looked = 0; ; ) {
    const asked = await logIn(visitor(), { email, password: PASSWORD, label, device })
    if (asked.ok || !asked.challenge) return looked
    for (let tries = 0; tries < 5; tries++) {
      const given = await giveCode(visitor(), { challenge: asked.challenge, code: wrong(), label, device })
      if (given.ok || given.reason === 'too-many-codes') return looked
      looked++
    }
  }
}

test('who knew the password has no more tries of codes by the browsers that they signed in with before', async () => {
  const ann = await world.member('Ann')
  const devices: string[] = []
  for (let browser = 0; browser < BROWSERS; browser++) {
    const opened = await logIn(visitor(), { email: ann.email, password: PASSWORD, label })
    if (!opened.ok) throw new Error(opened.reason)
    devices.push(opened.value.device)
  }
  const app = await turnOn(ann)
  let looked = 0
  for (const device of devices) looked += await guesses(ann, device, app.wrong)
  expect(looked).toBeLessThanOrEqual(TRIES_MOST)
})

test('an account remembers a bounded number of browsers', async () => {
  const bob = await world.member('Bob')
  const emailKey = world.services.credentials.emailKey(bob.email)
  const { app } = world.core.storage
  const earlier = Array.from({ length: BROWSERS_MOST - 1 }, () => ({
    email_key: emailKey,
    device_hash: randomBytes(32),
    seen_at: new Date(Date.now() - 3_600_000),
  }))
  await app.insertInto('known_device').values(earlier).execute()
  for (let browser = 0; browser < 3; browser++)
    expect((await logIn(visitor(), { email: bob.email, password: PASSWORD, label })).ok).toBe(true)
  const { count } = await app
    .selectFrom('known_device')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('email_key', '=', emailKey)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(BROWSERS_MOST)
})
