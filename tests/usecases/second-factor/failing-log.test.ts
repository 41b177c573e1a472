import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProduct } from '../../../server/product.ts'
import { createLogger } from '../../../services/log.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { renewRecoveryCodes } from '../../../usecases/second-factor/renew-recovery-codes.ts'
import { startSecondFactor } from '../../../usecases/second-factor/start.ts'
import { turnOffSecondFactor } from '../../../usecases/second-factor/turn-off.ts'
import { withoutAppends } from '../../support/acting/failing-log.ts'
import { signedInAs } from '../../support/acting/signed-in.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { authenticator, turnOn } from '../../support/outside/authenticator.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
/** Nothing that is owed is sent there. */
let still: World
const now = () => new Date()
const logger = createLogger({ level: 'silent' })
beforeAll(async () => {
  world = await startWorld({ web: false })
  still = await startWorld({ web: false, config: { roles: new Set(['web', 'projector', 'realtime']) } })
})
afterAll(async () => {
  await world.stop()
  await still.stop()
})

const label = 'A test'
const OF_A_FACTOR = /^(SecondFactorChanged|RecoveryCodeUsed|SessionsRevoked|SignedInOnNewDevice)$/
const eventsOf = async (of: World, { id }: Person) =>
  (await of.core.log.read(`member-${id}`)).map(({ type }) => type).filter((type) => OF_A_FACTOR.test(type))
const owedIn = ({ core }: World) => core.storage.app.selectFrom('owed_command').selectAll().execute()
const nothingOwed = (of: World) => until('nothing is owed', async () => (await owedIn(of)).length === 0)

async function challengeOf(of: World, { email }: Person): Promise<string> {
  const asked = await logIn(of.context, { email, password: PASSWORD, label })
  if (asked.ok || !asked.challenge) throw new Error('No challenge.')
  return asked.challenge
}

/** Who is about to turn a second factor on. */
async function begun(of: World, name: string) {
  const who = await of.member(name)
  const acting = await signedInAs(of.context, who)
  const started = await startSecondFactor(acting)
  if (!started.ok) throw new Error(started.reason)
  return { who, acting, app: authenticator(started.value.secret, now) }
}

test('turning on answers the recovery codes though the log takes nothing, and is noted once it does again', async () => {
  const { who, acting, app } = await begun(world, 'Ann')
  await world.services.sessions.create({ member: who.id, remember: true, label })
  const confirmed = await confirmSecondFactor(withoutAppends(acting), { code: app.next() })
  expect(confirmed.ok && confirmed.value.recoveryCodes).toHaveLength(10)
  await nothingOwed(world)
  expect((await eventsOf(world, who)).sort()).toEqual(['SecondFactorChanged', 'SessionsRevoked'])
  const code = confirmed.ok ? confirmed.value.recoveryCodes[0]! : ''
  const opened = await giveCode(world.context, { challenge: await challengeOf(world, who), code, label })
  expect(opened).toMatchObject({ ok: true })
})

test('new recovery codes and turning off succeed though the log takes nothing', async () => {
  const bea = await world.member('Bea')
  const app = await turnOn(world.services, bea.id)
  const acting = withoutAppends(await signedInAs(world.context, bea))
  const renewed = await renewRecoveryCodes(acting, { code: app.next() })
  expect(renewed.ok && renewed.value.recoveryCodes).toHaveLength(10)
  expect(await turnOffSecondFactor(acting, { code: app.next() })).toEqual({ ok: true, value: null })
  await nothingOwed(world)
  expect(await eventsOf(world, bea)).toEqual(['SecondFactorChanged', 'SecondFactorChanged'])
})

test('a recovery code signs in though the log takes nothing: one is used, and both events come', async () => {
  const cat = await world.member('Cat')
  const app = await turnOn(world.services, cat.id)
  const given = { challenge: await challengeOf(world, cat), code: app.recoveryCodes[0]!, label }
  expect(await giveCode(withoutAppends(world.context), given)).toMatchObject({ ok: true, value: { member: cat.id } })
  expect((await world.services.secondFactor.find(cat.id))?.recoveryCodes).toBe(9)
  await nothingOwed(world)
  expect((await eventsOf(world, cat)).sort()).toEqual(['RecoveryCodeUsed', 'SignedInOnNewDevice'])
})

test('a log that gives no answer at all leaves the codes as they are', async () => {
  const dan = await world.member('Dan')
  const app = await turnOn(world.services, dan.id)
  const away = async () => {
    throw new Error('away')
  }
  const given = { challenge: await challengeOf(world, dan), code: app.recoveryCodes[0]!, label }
  await expect(giveCode({ ...withoutAppends(world.context), loadState: away }, given)).rejects.toThrow('away')
  expect((await world.services.secondFactor.find(dan.id))?.recoveryCodes).toBe(10)
  expect(await giveCode(world.context, given)).toMatchObject({ ok: true })
})

test('a change that fails before its end changes nothing and owes nothing', async () => {
  const { who, acting, app } = await begun(world, 'Eve')
  const { pool } = world.core.storage
  const code = app.next()
  await pool.query(
    `create function app.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  )
  await pool.query('create trigger refuse before insert on app.owed_command execute function app.refuse()')
  await expect(confirmSecondFactor(acting, { code })).rejects.toThrow('no')
  await pool.query('drop function app.refuse cascade')
  expect(await world.services.secondFactor.isOn(who.id)).toBe(false)
  expect(await confirmSecondFactor(acting, { code })).toMatchObject({ ok: true })
})

test('what a process that died was about to note is noted by the next one that starts, once', async () => {
  const { who, acting, app } = await begun(still, 'Fay')
  const never = new Promise<never>(() => undefined)
  const dying = { ...acting, dispatch: () => never, note: () => never }
  expect(await confirmSecondFactor(dying, { code: app.next() })).toMatchObject({ ok: true })
  expect(await eventsOf(still, who)).toEqual([])
  const [owed] = await owedIn(still)
  expect(owed).toMatchObject({ member: who.id, what: { type: 'NoteSecondFactor', how: 'turned-on' } })
  const { stores, config, publicUrl } = still
  const next = await createProduct({
    stores,
    config: { ...config, roles: new Set(['reactors']) },
    publicUrl,
    now,
    logger,
  })
  await next.start()
  await nothingOwed(still)
  await next.stop()
  expect(await eventsOf(still, who)).toEqual(['SecondFactorChanged'])
  const [noted] = (await still.core.log.read(`member-${who.id}`)).slice(-1)
  expect(noted?.metadata.commandId).toBe(owed?.id)
})

test('what is owed about somebody who is erased meanwhile goes with them', async () => {
  const { who, acting, app } = await begun(still, 'Gia')
  await confirmSecondFactor(withoutAppends(acting), { code: app.next() })
  expect(await owedIn(still)).toHaveLength(1)
  await still.account(who, 'EraseAccount')
  await still.services.erasure.forgetTraces({ member: who.id, emailKey: null })
  expect(await owedIn(still)).toEqual([])
})
