import { expect, test } from 'vitest'
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
  expect(await proofs.find(token)).toMatchObject({ id, ...ann, draft: null, spent: false })
  expect(await proofs.saveDraft(token, { firstName: 'Annika' })).toBe(true)
  expect((await proofs.find(token))?.draft).toEqual({ firstName: 'Annika' })
  const row = await app.db.selectFrom('signup_proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const dump = `${row.email.toString('latin1')} ${row.draft?.toString('latin1')} ${row.token_hash.toString('latin1')}`
  expect(dump).not.toMatch(/ann@example|Annika/)
  expect(dump).not.toContain(token)
})

test('of fifty sign-ups at once with one proof one goes ahead', async () => {
  const { proofs } = start()
  const { token } = await proofs.issue(ann)
  const verdicts = await Promise.all(Array.from({ length: 50 }, (_, n) => proofs.spend(token, `command-${n}`)))
  expect(verdicts.filter((verdict) => verdict === 'ok')).toHaveLength(1)
  expect(verdicts.filter((verdict) => verdict === 'spent')).toHaveLength(49)
})

test('the same command resumes until the account exists, also when the proof is old by then', async () => {
  const { now, proofs } = start()
  const { token, id } = await proofs.issue(ann)
  expect(await proofs.spend(token, 'one')).toBe('ok')
  now.pass(3 * 3_600_000)
  expect(await proofs.spend(token, 'one')).toBe('ok')
  await proofs.complete(token)
  expect(await proofs.spend(token, 'one')).toBe('spent')
  expect(await proofs.find(token)).toBeNull()
  const row = await app.db.selectFrom('signup_proof').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.email.length, row.draft]).toEqual([0, null])
})

test('a refused sign-up gives its proof back, to nobody else', async () => {
  const { proofs } = start()
  const { token } = await proofs.issue(ann)
  await proofs.spend(token, 'one')
  await proofs.release(token, 'two')
  expect(await proofs.spend(token, 'two')).toBe('spent')
  await proofs.release(token, 'one')
  expect(await proofs.spend(token, 'two')).toBe('ok')
})

test('a proof lives two hours, and a draft has a limit', async () => {
  const { now, proofs } = start()
  const { token } = await proofs.issue(ann)
  expect(await proofs.saveDraft(token, 'x'.repeat(70_000))).toBe(false)
  now.pass(2 * 3_600_000)
  expect(await proofs.find(token)).toBeNull()
  expect(await proofs.saveDraft(token, 'late')).toBe(false)
  expect(await proofs.spend(token, 'late')).toBe('expired')
  expect(await proofs.spend('unknown', 'late')).toBe('expired')
  now.pass(3 * 3_600_000)
  expect(await proofs.sweep()).toBeGreaterThan(0)
})
