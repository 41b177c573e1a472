import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createKeyRing, type KeyRing } from '../../../eventstore/keys.ts'
import { sealBy } from '../../../server/keys/member-seal.ts'
import { randomId } from '../../../services/random-id.ts'
import { RECOVERY_CODES, renewCodes } from '../../../services/second-factor/recovery-codes.ts'
import { createSecondFactor, UNCONFIRMED_MS } from '../../../services/second-factor/second-factor.ts'
import { newSecret, stepOf, uriOf } from '../../../services/second-factor/totp.ts'
import { appCode, STEP_MS, wrongCode } from '../../support/outside/authenticator.ts'
import { appDatabase, MASTER_KEY, testClock } from '../support/app.ts'

const app = appDatabase()
let pool: pg.Pool
let keys: KeyRing
beforeAll(() => {
  pool = new pg.Pool({ ...app.config, max: 4 })
  keys = createKeyRing(pool, MASTER_KEY)
})
afterAll(() => pool.end())

/** A member with a credential, and the service under a clock. */
async function start() {
  const now = testClock()
  const ann = randomId() as MemberId
  const created = { member: ann, email_key: randomId(), password_hash: null, password_set_at: null, created_at: now() }
  await app.db
    .insertInto('credential')
    .values({ ...created, google_key: null })
    .execute()
  return { now, ann, factor: createSecondFactor({ db: app.db, now, seal: sealBy(keys) }) }
}

/** The same with the factor on, a step later: the code that turned it on is used. */
async function turnedOn() {
  const started = await start()
  const { now, ann, factor } = started
  const secret = (await factor.begin(ann))!
  const recoveryCodes = (await factor.confirm(ann, appCode(secret, now())))!
  now.pass(STEP_MS)
  return { ...started, secret, recoveryCodes, code: () => appCode(secret, now()) }
}

test('codes are those of the standard, one step around this moment', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(stepOf(secret, '287082', new Date(59_000))).toBe(1)
  expect(stepOf(secret, '081804', new Date(1_111_111_109_000))).toBe(37_037_036)
  const at = new Date('2026-03-01T12:00:10Z')
  const [now, step] = [at.getTime(), Math.floor(at.getTime() / STEP_MS)]
  const found = [-2, -1, 0, 1, 2].map((off) => stepOf(secret, appCode(secret, new Date(now + off * STEP_MS)), at))
  expect(found).toEqual([null, step - 1, step, step + 1, null])
  for (const junk of ['', '28708', '2870821', '28708a', '２８７０８２']) expect(stepOf(secret, junk, at)).toBeNull()
})

test('a secret has 160 bits, and an app reads whose it is', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(uriOf(secret, 'ann@example.com'))
  expect(decodeURIComponent(uri.pathname)).toContain('LetsBuzz:ann@example.com')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'LetsBuzz',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('it is on once a code of its secret confirmed it, and then no other secret takes its place', async () => {
  const { now, ann, factor } = await start()
  const old = (await factor.begin(ann))!
  const secret = (await factor.begin(ann))!
  expect([await factor.isOn(ann), await factor.find(ann)]).toEqual([false, null])
  expect(await factor.spend(ann, appCode(secret, now()))).toBeNull()
  expect(await factor.confirm(ann, wrongCode(secret, now()))).toBeNull()
  expect(await factor.confirm(ann, appCode(old, now()))).toBeNull()
  const codes = await factor.confirm(ann, appCode(secret, now()))
  expect(new Set(codes).size).toBe(RECOVERY_CODES)
  expect(await factor.find(ann)).toEqual({ since: now(), recoveryCodes: RECOVERY_CODES })
  now.pass(STEP_MS)
  expect(await factor.confirm(ann, appCode(secret, now()))).toBeNull()
  expect(await factor.begin(ann)).toBeNull()
})

test('a secret that nobody confirms is good for an hour', async () => {
  const { now, ann, factor } = await start()
  const secret = (await factor.begin(ann))!
  now.pass(UNCONFIRMED_MS)
  expect(await factor.confirm(ann, appCode(secret, now()))).toBeNull()
  expect(await factor.sweep()).toBe(1)
  const on = await turnedOn()
  on.now.pass(2 * UNCONFIRMED_MS)
  expect(await on.factor.sweep()).toBe(0)
  expect(await on.factor.isOn(on.ann)).toBe(true)
})

test("each step's code is good once, and none of a step before it", async () => {
  const { now, ann, factor, secret, code } = await turnedOn()
  const before = appCode(secret, new Date(now().getTime() - STEP_MS))
  expect(await factor.spend(ann, before)).toBeNull()
  expect(await factor.spend(ann, code())).toBe('app')
  expect(await factor.spend(ann, code())).toBeNull()
  const ahead = appCode(secret, new Date(now().getTime() + STEP_MS))
  expect(await factor.isUsed(ann, ahead)).toBe(false)
  expect(await factor.spend(ann, ahead)).toBe('app')
  expect(await factor.isUsed(ann, ahead)).toBe(true)
  now.pass(STEP_MS)
  expect(await factor.spend(ann, ahead)).toBeNull()
})

test('of the same code sent many times at once one is good', async () => {
  const { ann, factor, code } = await turnedOn()
  const spent = await Promise.all(Array.from({ length: 8 }, () => factor.spend(ann, code())))
  expect(spent.filter(Boolean)).toEqual(['app'])
})

test('a recovery code that somebody wrote into the table is good for nothing while the factor is off', async () => {
  const { ann, factor } = await start()
  const [code] = await renewCodes(app.db, ann)
  expect(await factor.spend(ann, code!)).toBeNull()
  await factor.begin(ann)
  expect(await factor.spend(ann, code!)).toBeNull()
})

test('a recovery code is good once, however it is written, also when it is sent many times at once', async () => {
  const { ann, factor, recoveryCodes } = await turnedOn()
  const [first, second] = recoveryCodes as [string, string]
  expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
  expect(await factor.spend(randomId() as MemberId, first)).toBeNull()
  expect(await factor.spend(ann, first.toUpperCase().replaceAll('-', ' '))).toBe('recovery')
  expect(await factor.spend(ann, first)).toBeNull()
  const spent = await Promise.all(Array.from({ length: 8 }, () => factor.spend(ann, second)))
  expect(spent.filter(Boolean)).toEqual(['recovery'])
  expect(await factor.find(ann)).toMatchObject({ recoveryCodes: RECOVERY_CODES - 2 })
})

test('new recovery codes end the old ones, and turning off ends all', async () => {
  const { ann, factor, recoveryCodes, code } = await turnedOn()
  const renewed = (await factor.renewCodes(ann))!
  expect(await factor.spend(ann, recoveryCodes[0]!)).toBeNull()
  expect(await factor.spend(ann, renewed[0]!)).toBe('recovery')
  expect(await factor.turnOff(ann)).toBe(true)
  expect(await factor.turnOff(ann)).toBe(false)
  expect([await factor.spend(ann, code()), await factor.spend(ann, renewed[1]!)]).toEqual([null, null])
  expect([await factor.isOn(ann), await factor.renewCodes(ann)]).toEqual([false, null])
})

test('what is stored shows no secret and no code, and opens no more once the key is destroyed', async () => {
  const { ann, factor, secret, recoveryCodes, code } = await turnedOn()
  const rows = [
    await app.db.selectFrom('second_factor').selectAll().where('member', '=', ann).execute(),
    await app.db.selectFrom('recovery_code').selectAll().where('member', '=', ann).execute(),
  ]
  const text = JSON.stringify(rows)
  for (const word of [secret, ...recoveryCodes]) expect(text).not.toContain(word)
  await keys.destroy(ann)
  expect(await factor.spend(ann, code())).toBeNull()
  await expect(factor.begin(ann)).rejects.toThrow('no key')
})
