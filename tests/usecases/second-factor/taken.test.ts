import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../../domain/shared/dates.ts'
import { NO_ENTITLEMENTS } from '../../../usecases/acting.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports, SignedIn } from '../../../usecases/ports.ts'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { startSecondFactor } from '../../../usecases/second-factor/start.ts'
import { turnOffSecondFactor } from '../../../usecases/second-factor/turn-off.ts'
import { undoSecondFactor } from '../../../usecases/second-factor/undo.ts'
import { withoutAppends } from '../../support/acting/failing-log.ts'
import { CODE_MAIL, codeOf, PASSWORD } from '../../support/newcomers.ts'
import { authenticator } from '../../support/outside/authenticator.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
let world: World
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld({ now }))
})
afterAll(() => world.stop())

const label = 'A thief'
const NEW_PASSWORD = 'copper-meadow-77-train'
const INVALID = { ok: false, reason: 'invalid-code' }
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const ON = '2-step verification is on for your LetsBuzz account'
const CHANGED = 'Your LetsBuzz password was changed'

/** A session of somebody, however they came to it. */
async function signedIn({ id: member }: Pick<Person, 'id'>): Promise<SignedIn> {
  const { session } = await world.services.sessions.create({ member, remember: true, label })
  const who = { member, session: session.id, status: 'active', entitlements: NO_ENTITLEMENTS, authAt: now() } as const
  return { ...visitor(), who }
}
/** Turns the second factor on from such a session. */
async function turnOnFrom(acting: SignedIn) {
  const started = await startSecondFactor(acting)
  if (!started.ok) throw new Error(started.reason)
  const app = authenticator(started.value.secret, now)
  const confirmed = await confirmSecondFactor(acting, { code: app.next() })
  if (!confirmed.ok) throw new Error(confirmed.reason)
  return { ...app, recoveryCodes: confirmed.value.recoveryCodes }
}
/** The links of the mails of that subject, newest first. */
async function linksOf({ email }: Person, subject: string, many = 1): Promise<string[]> {
  const mails = await until('the mail is there', async () => {
    const listed = (await world.product.mailbox?.list({ to: email })) ?? []
    const found = listed.filter((mail) => mail.subject === subject)
    return found.length >= many ? found : null
  })
  return mails.map(({ text }) => /forgot-password\?link=([\w-]+)/.exec(text)?.[1] ?? '')
}
/** Somebody whose account a thief has, who knew the password. */
async function taken(name: string) {
  const who = await world.member(name)
  const thief = await signedIn(who)
  const app = await turnOnFrom(thief)
  const [link = ''] = await linksOf(who, ON)
  return { who, thief, app, link }
}
const undo = (link: string, newPassword = NEW_PASSWORD) => undoSecondFactor(visitor(), { link, newPassword })
const isOn = ({ id }: Person) => world.services.secondFactor.isOn(id)
/** An ordinary reset, by the code of its mail. */
async function reset(who: Person, newPassword: string) {
  expect(await forgotPassword(visitor(), { email: who.email })).toMatchObject({ ok: true })
  await until('the mail is there', () => world.mail(who.email, CODE_MAIL))
  return resetPassword(visitor(), { email: who.email, code: await codeOf(world, who.email), newPassword })
}
const noted = async ({ id }: Person) => {
  const stored = await world.core.codec.decode(await world.core.log.read(`member-${id}`, 0))
  return stored.flatMap((event) => {
    if (event.type === 'SecondFactorChanged' || event.type === 'PasswordChanged') return [`${event.type} ${event.how}`]
    return event.type === 'SessionsRevoked' ? [event.type] : []
  })
}

test('the link of the mail gives the account back to its owner, once', async () => {
  const { who, thief, app, link } = await taken('Ann')
  const asked = await logIn(visitor(), { email: who.email, password: PASSWORD, label })
  const challenge = (!asked.ok && asked.challenge) || ''
  expect(await undo(link)).toMatchObject({ ok: true })
  expect(await isOn(who)).toBe(false)
  expect(await world.services.sessions.list(who.id)).toEqual([])
  const late = { challenge, code: app.recoveryCodes[0]!, label }
  expect(await giveCode(visitor(), late)).toEqual({ ok: false, reason: 'sign-in-over' })
  const old = await logIn(visitor(), { email: who.email, password: PASSWORD, label })
  expect(old).toEqual({ ok: false, reason: 'invalid-credentials' })
  const login = await logIn(visitor(), { email: who.email, password: NEW_PASSWORD, label })
  expect(login).toMatchObject({ ok: true, value: { member: who.id } })
  expect(await undo(link)).toEqual(INVALID)
  expect(await world.services.sessions.list(who.id)).toHaveLength(1)
  expect((await noted(who)).slice(-3).sort()).toEqual([
    'PasswordChanged reset',
    'SecondFactorChanged turned-off',
    'SessionsRevoked',
  ])
  expect(await turnOffSecondFactor(thief, { code: app.recoveryCodes[1]! })).toMatchObject({ reason: 'not-on' })
})

test('the mail states what the link does and until when it is good', async () => {
  const { who } = await taken('Bea')
  const mails = (await world.product.mailbox?.list({ to: who.email })) ?? []
  const { text = '' } = mails.find(({ subject }) => subject === ON) ?? {}
  const until = `${new Date(now().getTime() + days(7)).toISOString().slice(0, 10)}`
  expect(text).toContain('sets a new password, turns 2-step verification off and ends every session')
  expect(text).toContain(`It is good once, until ${until}`)
})

test('of the same link used many times at once one use counts', async () => {
  const { who, link } = await taken('Cat')
  const outcomes = await Promise.all([1, 2, 3, 4].map((one) => undo(link, `${NEW_PASSWORD}-${one}`)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  const won = outcomes.findIndex(({ ok }) => ok) + 1
  const login = await logIn(visitor(), { email: who.email, password: `${NEW_PASSWORD}-${won}`, label })
  expect(login).toMatchObject({ ok: true })
})

test('all of it happens though the log takes nothing, or nothing of it where a part fails', async () => {
  const { who, link } = await taken('Lea')
  const before = await world.services.sessions.list(who.id)
  const { pool } = world.core.storage
  await pool.query(
    `create function app.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  )
  await pool.query('create trigger refuse before delete on app.session for each row execute function app.refuse()')
  await expect(undo(link)).rejects.toThrow('no')
  await pool.query('drop function app.refuse cascade')
  expect([await isOn(who), await world.services.sessions.list(who.id)]).toEqual([true, before])
  const old = await logIn(visitor(), { email: who.email, password: PASSWORD, label })
  expect(old).toMatchObject({ ok: false, reason: 'second-factor' })
  const input = { link, newPassword: NEW_PASSWORD }
  expect(await undoSecondFactor(withoutAppends(visitor()), input)).toMatchObject({ ok: true })
  const changed = async () => ((await noted(who)).includes('SecondFactorChanged turned-off') ? true : null)
  await until('the log has it', changed)
})

test('a password that may not be leaves everything as it was, the link too', async () => {
  const { who, link } = await taken('Dorothea')
  const before = await world.services.sessions.list(who.id)
  expect(await undo(link, 'password123')).toEqual({ ok: false, reason: 'common' })
  expect(await undo(link, 'xx-dorothea-quarry-88')).toEqual({ ok: false, reason: 'personal' })
  const differs = { link, newPassword: NEW_PASSWORD, confirm: `${NEW_PASSWORD}x` }
  expect(await undoSecondFactor(visitor(), differs)).toEqual({ ok: false, reason: 'passwords-differ' })
  expect([await isOn(who), await world.services.sessions.list(who.id)]).toEqual([true, before])
  expect(await undo(link)).toMatchObject({ ok: true })
})

test('after seven days the link does nothing', async () => {
  const { who, link } = await taken('Eve')
  offsetMs += days(7)
  expect(await undo(link)).toEqual(INVALID)
  expect(await isOn(who)).toBe(true)
  expect(await world.services.undoLinks.issue(who.id)).toBeNull()
  expect(await world.services.undoLinks.sweep()).toBeGreaterThan(0)
})

test('an older link is void once the second factor was turned off and on again', async () => {
  const { who, thief, app, link } = await taken('Fay')
  expect(await turnOffSecondFactor(thief, { code: app.recoveryCodes[0]! })).toMatchObject({ ok: true })
  offsetMs += 60_000
  await turnOnFrom({ ...thief, who: { ...thief.who, authAt: now() } })
  const links = await linksOf(who, ON, 2)
  const fresh = links.find((one) => one !== link) ?? ''
  expect(await world.services.undoLinks.find(link)).toBeNull()
  expect(await undo(link)).toEqual(INVALID)
  expect(await isOn(who)).toBe(true)
  expect(await undo(fresh)).toMatchObject({ ok: true })
})

test('a reset leaves the second factor on and makes older links void; its mail has a new one, no longer good', async () => {
  const { who, link } = await taken('Gia')
  const { expires_at } = await world.core.storage.app
    .selectFrom('undo_link')
    .select('expires_at')
    .where('member', '=', who.id)
    .executeTakeFirstOrThrow()
  offsetMs += days(2)
  expect(await reset(who, 'another-kettle-51-fern')).toMatchObject({ ok: true })
  expect(await isOn(who)).toBe(true)
  expect(await undo(link)).toEqual(INVALID)
  const [fresh = ''] = await linksOf(who, CHANGED)
  const links = world.core.storage.app.selectFrom('undo_link').select('expires_at').where('member', '=', who.id)
  expect(await links.execute()).toEqual([{ expires_at }])
  expect(await undo(fresh)).toMatchObject({ ok: true })
  expect(await isOn(who)).toBe(false)
})

test('a reset of somebody without a second factor mails no such link', async () => {
  const who = await world.member('Hal')
  expect(await reset(who, NEW_PASSWORD)).toMatchObject({ ok: true })
  expect(await linksOf(who, CHANGED)).toEqual([''])
})

test('a link is good for its own account and purpose alone, and is stored as a hash', async () => {
  const { who, link } = await taken('Ivo')
  const { who: other } = await taken('Joy')
  expect(await resetPassword(visitor(), { link, newPassword: NEW_PASSWORD })).toEqual(INVALID)
  expect(await undo('x'.repeat(43))).toEqual(INVALID)
  const { rows } = await world.core.storage.pool.query('select u::text as text from app.undo_link u')
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toContain(link)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(link).toString('hex'))
  expect(await undo(link)).toMatchObject({ ok: true })
  expect([await isOn(who), await isOn(other)]).toEqual([false, true])
})

test('an erasure leaves no link', async () => {
  const { who, link } = await taken('Kim')
  expect(await eraseAccount({ ...visitor(), actor: 'admin:test' }, who.id)).toMatchObject({ ok: true })
  const rows = await world.core.storage.app
    .selectFrom('undo_link')
    .select('member')
    .where('member', '=', who.id)
    .execute()
  expect(rows).toEqual([])
  expect(await undo(link)).toEqual(INVALID)
})

test('who took the account cannot void the link by turning the second factor off', async () => {
  const { who, thief, app, link } = await taken('Zoe')
  const off = await turnOffSecondFactor(thief, { code: app.recoveryCodes[0] ?? '' })
  expect(off).toMatchObject({ ok: true })
  expect(await undo(link)).toMatchObject({ ok: true })
  expect(await world.services.sessions.list(who.id)).toEqual([])
  expect(await logIn(visitor(), { email: who.email, password: PASSWORD, label })).toMatchObject({ ok: false })
  const times = (name: string, all: readonly string[]) => all.filter((one) => one === name).length
  expect(times('SecondFactorChanged turned-off', await noted(who))).toBe(1)
  expect(await undo(link)).toEqual(INVALID)
})

test('a link that is used while another second factor is turned on does nothing', async () => {
  const { who, link } = await taken('Uma')
  const { app, pool } = world.core.storage
  const { using } = await app.transaction().execute(async (tx) => {
    await tx.selectFrom('credential').select('member').where('member', '=', who.id).forUpdate().execute()
    const using = undo(link)
    await until('it waits', async () => (await pool.query(WAITING)).rowCount === 1)
    const another = { confirmed_at: new Date(now().getTime() + 1) }
    await tx.updateTable('second_factor').set(another).where('member', '=', who.id).execute()
    return { using }
  })
  expect(await using).toEqual(INVALID)
  expect(await isOn(who)).toBe(true)
})
