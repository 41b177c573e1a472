import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findAccountState } from '../../../projections/accounts/queries.ts'
import { findReport } from '../../../projections/reports/queries.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { closeCase } from '../../../usecases/safety/close-case.ts'
import { deactivateAccount } from '../../../usecases/safety/deactivate-account.ts'
import type { Operating } from '../../../usecases/safety/moderating.ts'
import { reinstateAccount } from '../../../usecases/safety/reinstate-account.ts'
import { report } from '../../../usecases/safety/report.ts'
import { suspendAccount } from '../../../usecases/safety/suspend-account.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand } from '../acting.ts'

const ACTOR = 'admin:night-shift'
const NOBODY = '0'.repeat(24) as MemberId

let world: World
let operating: Operating
let ann: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  operating = { ...world.context, actor: ACTOR }
  ann = await world.member('Ann')
})
afterAll(() => world.stop())

const suspend = ({ id }: Pick<Person, 'id'>, reason = 'Spam') => suspendAccount(operating, id, reason)
const reinstate = ({ id }: Pick<Person, 'id'>) => reinstateAccount(operating, id)
const deactivate = ({ id }: Pick<Person, 'id'>) => deactivateAccount(operating, id)
const factsOf = async (stream: string) => world.core.codec.decode(await world.core.log.read(stream))
/** What the operator did to an account. */
const doneTo = async ({ id }: Person) => (await factsOf(`member-${id}`)).filter((fact) => fact?.meta.actor === ACTOR)
/** An open case, as the list of cases has it. */
async function caseAbout(target: Person, by = ann) {
  const outcome = await report(as(world, by), { target: target.id, reason: 'Insults', commandId: newCommand() })
  await world.settled()
  const found = outcome.ok ? await findReport(world.read, outcome.value.report) : null
  return found ?? expect.fail('The report was refused.')
}
const outcomeOf = async (id: string) => {
  await world.settled()
  return (await findReport(world.read, id))?.status
}

test('a suspension shuts the account, ends its sessions and closes the cases about it, and no other', async () => {
  const [bea, cat] = [await world.member('Bea'), await world.member('Cat')]
  const about = [await caseAbout(bea), await caseAbout(bea, cat), await caseAbout(cat)]
  expect(await suspend(bea, 'Insults')).toEqual({ ok: true, sessions: 1, cases: 2 })
  expect(await world.services.sessions.find(bea.token)).toBeNull()
  expect(await Promise.all(about.map(({ id }) => outcomeOf(id)))).toEqual(['suspended', 'suspended', 'open'])
  expect(await doneTo(bea)).toMatchObject([
    { type: 'AccountSuspended', reason: 'Insults' },
    { type: 'SessionsRevoked', sessions: [expect.any(String)] },
  ])
  expect((await factsOf(`report-${ann.id}_${bea.id}`)).at(-1)).toMatchObject({
    type: 'ReportClosed',
    outcome: 'suspended',
    meta: { actor: ACTOR, correlationId: operating.requestId },
  })
  const head = await world.core.log.head()
  expect(await suspend(bea, 'Once more')).toEqual({ ok: true, sessions: 0, cases: 0 })
  expect(await world.core.log.head()).toBe(head)
})

test('a suspension that stopped half way is finished by the same call', async () => {
  const dan = await world.member('Dan')
  const { id } = await caseAbout(dan)
  await world.account(dan, 'Suspend')
  await world.settled()
  expect(await suspend(dan)).toEqual({ ok: true, sessions: 1, cases: 1 })
  expect([await world.services.sessions.list(dan.id), await outcomeOf(id)]).toEqual([[], 'suspended'])
})

test('a reinstatement lets in who is suspended, and nobody else', async () => {
  const eva = await world.member('Eva')
  expect(await reinstate(eva)).toEqual({ ok: false, reason: 'already' })
  await suspend(eva)
  expect(await reinstate(eva)).toMatchObject({ ok: true })
  expect(await reinstate(eva)).toEqual({ ok: false, reason: 'already' })
  expect((await doneTo(eva)).map((fact) => fact?.type)).toEqual([
    'AccountSuspended',
    'SessionsRevoked',
    'AccountReinstated',
  ])
  await deactivate(eva)
  expect(await reinstate(eva)).toEqual({ ok: false, reason: 'already' })
})

test('who was deactivated before a suspension is so after it', async () => {
  const kai = await world.member('Kai')
  await deactivate(kai)
  await suspend(kai)
  expect(await reinstate(kai)).toMatchObject({ ok: true })
  await world.settled()
  expect(await findAccountState(world.read, kai.id)).toMatchObject({ status: 'deactivated' })
  expect(await reinstate(kai)).toEqual({ ok: false, reason: 'already' })
})

test('a deactivation ends the sessions, again quietly, and leaves the cases open', async () => {
  const fay = await world.member('Fay')
  const { id } = await caseAbout(fay)
  expect(await deactivate(fay)).toEqual({ ok: true, sessions: 1 })
  expect(await deactivate(fay)).toEqual({ ok: true, sessions: 0 })
  expect((await doneTo(fay)).map((fact) => fact?.type)).toEqual(['AccountDeactivated', 'SessionsRevoked'])
  expect(await outcomeOf(id)).toBe('open')
})

test('who is suspended is not deactivated, and keeps waiting for a reinstatement', async () => {
  const gus = await world.member('Gus')
  await suspend(gus)
  expect(await deactivate(gus)).toEqual({ ok: false, reason: 'suspended' })
  expect((await doneTo(gus)).map((fact) => fact?.type)).not.toContain('AccountDeactivated')
})

test('who never was, or was erased, is refused by each of them', async () => {
  const hal = await world.member('Hal')
  expect(await eraseAccount({ ...world.context, actor: hal.id }, hal.id)).toMatchObject({ ok: true })
  const head = await world.core.log.head()
  for (const who of [hal, { id: NOBODY }])
    for (const order of [suspend, reinstate, deactivate])
      expect([order.name, await order(who)]).toEqual([order.name, { ok: false, reason: 'unknown' }])
  expect(await world.core.log.head()).toBe(head)
})

test('a case is closed once, with what it came to, and the next report opens another', async () => {
  const ida = await world.member('Ida')
  const first = await caseAbout(ida)
  await closeCase(operating, first, 'no-action')
  expect(await outcomeOf(first.id)).toBe('no-action')
  const head = await world.core.log.head()
  await closeCase(operating, first, 'suspended')
  expect([await outcomeOf(first.id), await world.core.log.head()]).toEqual(['no-action', head])
  const second = await caseAbout(ida)
  expect([second.id === first.id, await outcomeOf(second.id)]).toEqual([false, 'open'])
})

test('a case that cannot be closed is no quiet success', async () => {
  const jon = await world.member('Jon')
  const open = await caseAbout(jon)
  const busy: Operating = { ...operating, dispatch: async () => ({ ok: false, reason: 'conflict' }) }
  await expect(closeCase(busy, open, 'no-action')).rejects.toThrow('A case could not be closed: conflict')
  expect(await outcomeOf(open.id)).toBe('open')
})

test('a member with more sessions than one command may name is suspended like any other', async () => {
  const max = await world.member('Max')
  await world.core.storage.pool.query(
    `insert into app.session (id, token_hash, member, remember, label, created_at, last_seen_at, auth_at)
     select substr(md5(n::text), 1, 24), decode(md5(n::text) || md5((-n)::text), 'hex'), $1, true, 'x', now(), now(), now()
     from generate_series(1, 2001) n`,
    [max.id],
  )
  expect(await suspend(max)).toMatchObject({ ok: true })
  const ended = (await doneTo(max)).flatMap((fact) => (fact?.type === 'SessionsRevoked' ? [fact.sessions.length] : []))
  expect([ended.length, Math.max(...ended)]).toEqual([3, 1_000])
})
