import { expect, onTestFinished, test } from 'vitest'
import { openAppDb } from '../../services/app-db.ts'
import { LEASE_MS } from '../../services/proof-leases.ts'
import { createSignupProofs } from '../../services/signup-proofs.ts'
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

/** Of this proof alone; the database is that of every test here. */
const taken = async ({ now, proofs }: ReturnType<typeof start>, id: string) =>
  (await proofs.takeLapsed(now(), 1000)).filter((proof) => proof.id === id)

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

test('a proof that is refused makes no account, and contains nothing but the hash, at once', async () => {
  const { now, proofs } = start()
  const [behind, bea] = [testClock(), { email: 'bea@example.com', emailKey: 'b'.repeat(64), googleKey: 'g' }]
  const elsewhere = createSignupProofs({ db: app.db, now: behind, masterKey: MASTER_KEY })
  const { token, id } = await proofs.issue(bea)
  const kept = await proofs.issue(ann)
  await proofs.changeDraft(token, () => ({ firstName: 'Bea' }))
  now.pass(1000)
  expect(await proofs.refuse(bea.emailKey)).toEqual([{ id, emailKey: bea.emailKey, refused: true, idle: true }])
  for (const seen of [proofs, elsewhere]) {
    expect(await seen.find(token)).toBeNull()
    expect(await seen.changeDraft(token, () => 'more')).toBe(false)
    expect(await seen.lease(token)).toEqual({ ok: false, reason: 'over' })
  }
  const row = await app.db.selectFrom('signup_proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.email.length, row.draft, row.google_key]).toEqual([0, null, null])
  expect(await proofs.find(kept.token)).not.toBeNull()
})

test('a lease is void once its proof is refused, which is not idle until a lease has passed', async () => {
  const started = start()
  const { now, proofs } = started
  const cem = { email: 'cem@example.com', emailKey: 'c'.repeat(64) }
  const { token, id } = await proofs.issue(cem)
  const lease = await leaseOf(started, token)
  const refused = { id, emailKey: cem.emailKey, refused: true }
  expect(await proofs.refuse(cem.emailKey)).toEqual([{ ...refused, idle: false }])
  expect(await proofs.refuse(cem.emailKey)).toEqual([{ ...refused, idle: false }])
  expect([await proofs.renew(token, lease), await proofs.complete(token, lease)]).toEqual([false, false])
  expect(await taken(started, id)).toEqual([])
  now.pass(LEASE_MS)
  expect(await taken(started, id)).toEqual([{ ...refused, idle: true }])
})

test('one who renews the lease at each step is not ended, and no step is done for one who was', async () => {
  const started = start()
  const { now, proofs } = started
  const { token, id } = await proofs.issue(ann)
  now.pass(2 * 3_600_000 - 1)
  const lease = await leaseOf(started, token)
  now.pass(LEASE_MS)
  expect(await proofs.renew(token, lease)).toBe(true)
  now.pass(LEASE_MS - 1)
  expect(await taken(started, id)).toEqual([])
  now.pass(1)
  const lapsed = { id, emailKey: ann.emailKey, refused: false }
  expect(await taken(started, id)).toEqual([{ ...lapsed, idle: false }])
  expect([await proofs.renew(token, lease), await proofs.complete(token, lease)]).toEqual([false, false])
  await proofs.release(token, lease)
  expect(await taken(started, id)).toEqual([])
  now.pass(LEASE_MS)
  expect(await taken(started, id)).toEqual([{ ...lapsed, idle: true }])
})

test('lapsed proofs are taken in batches, each once, also by two at the same time', async () => {
  const elsewhere = openAppDb(app.config)
  onTestFinished(() => elsewhere.destroy())
  const { now, proofs } = start()
  const others = createSignupProofs({ db: elsewhere, now, masterKey: MASTER_KEY })
  const issued = await Promise.all(Array.from({ length: 7 }, () => proofs.issue(ann)))
  now.pass(2 * 3_600_000)
  const at = now()
  const ids: string[] = []
  for (let batch = 1; batch > 0; ) {
    const both = await Promise.all([proofs.takeLapsed(at, 3), others.takeLapsed(at, 3)])
    for (const one of both) expect(one.length).toBeLessThanOrEqual(3)
    ids.push(...both.flat().map(({ id }) => id))
    batch = both.flat().length
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(issued.map(({ id }) => id)))
  now.pass(LEASE_MS)
  expect(await proofs.takeLapsed(at)).toEqual([])
})

test('of one Google account a proof that is being ended keeps no other from its registration', async () => {
  const { now, proofs } = start()
  const google = { email: 'dee@example.com', emailKey: 'd'.repeat(64), googleKey: 'dee' }
  const first = await proofs.issue(google)
  await proofs.lapse(first.token)
  const second = await proofs.issue(google)
  expect((await proofs.takeLapsed(now())).map(({ id }) => id)).toContain(first.id)
  expect(await proofs.lease(second.token)).toMatchObject({ ok: true })
})

test('whoever works on a proof alone takes up its own lease, and nobody takes that of another', async () => {
  const { proofs } = start()
  const { token } = await proofs.issue(ann)
  expect(await proofs.lease(token, 'mine')).toEqual({ ok: true, lease: 'mine' })
  expect(await proofs.lease(token, 'mine')).toEqual({ ok: true, lease: 'mine' })
  expect(await proofs.lease(token)).toEqual({ ok: false, reason: 'busy' })
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
  for (const { id } of await proofs.takeLapsed(now())) await proofs.endLapsed(id)
  expect(await proofs.sweep()).toBeGreaterThan(0)
})

test('a proof lapses after its two hours, but not under whoever works on it, and is kept until it is ended', async () => {
  const started = start()
  const { now, proofs } = started
  const { token, id } = await proofs.issue(ann)
  const lapsed = () => taken(started, id)
  now.pass(2 * 3_600_000 - 1)
  await proofs.lease(token)
  expect(await lapsed()).toEqual([])
  now.pass(LEASE_MS - 1)
  expect(await lapsed()).toEqual([])
  now.pass(1)
  expect(await lapsed()).toEqual([{ id, emailKey: ann.emailKey, refused: false, idle: false }])
  now.pass(5 * 3_600_000)
  await proofs.sweep()
  expect(await lapsed()).toHaveLength(1)
  await proofs.endLapsed(id)
  expect(await lapsed()).toEqual([])
})
