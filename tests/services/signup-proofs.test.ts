import { expect, onTestFinished, test } from 'vitest'
import { openAppDb } from '../../services/app-db.ts'
import { createSignupProofs, LEASE_MS } from '../../services/signup-proofs.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'

const app = appDatabase()
const ann = { email: 'ann@example.com', emailKey: 'a'.repeat(64) }
const start = () => {
  const now = testClock()
  return { now, proofs: createSignupProofs({ db: app.db, now, masterKey: MASTER_KEY }) }
}

test('a proof brings the address and the draft back, and stores neither in the clear', async () => {
  const { proofs } = start()
  const { token, id } = await proofs.issue(ann)
  expect(await proofs.find(token)).toMatchObject({ id, ...ann, draft: null })
  expect(await proofs.changeDraft(token, () => ({ firstName: 'Annika' }))).toBe(true)
  expect((await proofs.find(token))?.draft).toEqual({ firstName: 'Annika' })
  const row = await app.db.selectFrom('signup_proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const dump = `${row.email.toString('latin1')} ${row.draft?.toString('latin1')} ${row.token_hash.toString('latin1')}`
  expect(dump).not.toMatch(/ann@example|Annika/)
  expect(dump).not.toContain(token)
})

test('twenty changes of a draft at once, over two connections to the database, are all in it', async () => {
  const elsewhere = openAppDb(app.config)
  onTestFinished(() => elsewhere.destroy())
  const { now, proofs } = start()
  const others = createSignupProofs({ db: elsewhere, now, masterKey: MASTER_KEY })
  const { token } = await proofs.issue(ann)
  const add = (name: string, n: number) =>
    (n % 2 ? proofs : others).changeDraft(token, (draft) => ({ ...(draft as object), [name]: 'kept' }))
  expect(await add('first', 0)).toBe(true)
  const names = Array.from({ length: 20 }, (_, n) => `field${n}`)
  expect(await Promise.all(names.map(add))).toEqual(Array(20).fill(true))
  expect(Object.keys((await proofs.find(token))?.draft as object).sort()).toEqual(['first', ...names].sort())
})

test('of fifty registrations at once, over two connections to the database, one goes ahead', async () => {
  const elsewhere = openAppDb(app.config)
  onTestFinished(() => elsewhere.destroy())
  const { now, proofs } = start()
  const others = createSignupProofs({ db: elsewhere, now, masterKey: MASTER_KEY })
  const { token } = await proofs.issue(ann)
  const tries = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? proofs : others).lease(token)))
  expect(tries.filter(({ ok }) => ok)).toHaveLength(1)
  expect(tries.filter((one) => !one.ok && one.reason === 'busy')).toHaveLength(49)
})

const leaseOf = async ({ proofs }: ReturnType<typeof start>, token: string) => {
  const leased = await proofs.lease(token)
  if (!leased.ok) throw new Error(`The proof is ${leased.reason}.`)
  return leased.lease
}

test('a released proof can be leased again; used for an account it contains nothing any more', async () => {
  const started = start()
  const { proofs } = started
  const { token, id } = await proofs.issue(ann)
  await proofs.release(token, await leaseOf(started, token))
  const second = await leaseOf(started, token)
  await proofs.release(token, 'not the lease')
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'busy' })
  expect(await proofs.complete(token, second)).toBe(true)
  expect(await proofs.complete(token, second)).toBe(false)
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'over' })
  expect(await proofs.find(token)).toBeNull()
  const row = await app.db.selectFrom('signup_proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.email.length, row.draft]).toEqual([0, null])
})

test('a holder that died is followed after a minute, and completes nothing when it comes back', async () => {
  const started = start()
  const { now, proofs } = started
  const { token } = await proofs.issue(ann)
  const first = await leaseOf(started, token)
  now.pass(LEASE_MS - 1)
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'busy' })
  now.pass(1)
  const second = await leaseOf(started, token)
  expect(await proofs.complete(token, first)).toBe(false)
  expect(await proofs.complete(token, second)).toBe(true)
})

test('a proof that is cancelled makes no account', async () => {
  const { proofs } = start()
  const { token } = await proofs.issue(ann)
  await proofs.cancel(token)
  expect(await proofs.find(token)).toBeNull()
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'over' })
})

test('a proof lives two hours, and a draft has a limit', async () => {
  const { now, proofs } = start()
  const { token } = await proofs.issue(ann)
  expect(await proofs.changeDraft(token, () => 'x'.repeat(70_000))).toBe(false)
  now.pass(2 * 3_600_000)
  expect(await proofs.find(token)).toBeNull()
  expect(await proofs.changeDraft(token, () => 'late')).toBe(false)
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'over' })
  expect(await proofs.lease('unknown')).toEqual({ ok: false, reason: 'over' })
  now.pass(3 * 3_600_000)
  for (const { id } of await proofs.listLapsed()) await proofs.endLapsed(id)
  expect(await proofs.sweep()).toBeGreaterThan(0)
})

test('a proof lapses after its two hours, but not under whoever works on it, and is kept until it is ended', async () => {
  const { now, proofs } = start()
  const { token, id } = await proofs.issue(ann)
  const lapsed = async () => (await proofs.listLapsed()).filter((proof) => proof.id === id)
  now.pass(2 * 3_600_000 - 1)
  await proofs.lease(token)
  expect(await lapsed()).toEqual([])
  now.pass(LEASE_MS - 1)
  expect(await lapsed()).toEqual([])
  now.pass(1)
  expect(await lapsed()).toEqual([{ id, emailKey: ann.emailKey }])
  now.pass(5 * 3_600_000)
  await proofs.sweep()
  expect(await lapsed()).toHaveLength(1)
  await proofs.endLapsed(id)
  expect(await lapsed()).toEqual([])
})
