import { expect, test } from 'vitest'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import { createMediaLinks } from '../../services/media/links.ts'
import { randomId } from '../../services/random-id.ts'
import { createSessions } from '../../services/sessions/sessions.ts'
import { createTickets } from '../../services/sessions/tickets.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'

const app = appDatabase()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const member = () => randomId() as MemberId
const start = () => {
  const now = testClock()
  return { now, sessions: createSessions({ db: app.db, now }) }
}

test('a token opens its session, and the database holds no usable token', async () => {
  const { sessions } = start()
  const ann = member()
  const { token, session } = await sessions.create({ member: ann, remember: true, label: 'Firefox on Linux' })
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(session.id).toMatch(/^[0-9a-z]{20,32}$/)
  expect(await sessions.find(token)).toMatchObject({ id: session.id, member: ann, label: 'Firefox on Linux' })
  const row = await app.db.selectFrom('session').selectAll().where('id', '=', session.id).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(token)
  for (const forged of ['', `${token}x`, 'a'.repeat(43), row.token_hash.toString('base64url')]) {
    expect(await sessions.find(forged)).toBeNull()
  }
})

test('a remembered session ends after 14 idle days, or 30 days', async () => {
  const { now, sessions } = start()
  const { token } = await sessions.create({ member: member(), remember: true, label: '' })
  now.pass(13 * DAY)
  expect(await sessions.find(token)).not.toBeNull()
  now.pass(13 * DAY)
  expect(await sessions.find(token)).not.toBeNull()
  now.pass(4 * DAY)
  expect(await sessions.find(token)).toBeNull()
  const idle = await sessions.create({ member: member(), remember: true, label: '' })
  now.pass(14 * DAY)
  expect(await sessions.find(idle.token)).toBeNull()
})

test('an ordinary session ends after 12 idle hours, or 24 hours', async () => {
  const { now, sessions } = start()
  const { token } = await sessions.create({ member: member(), remember: false, label: '' })
  now.pass(11 * HOUR)
  expect(await sessions.find(token)).not.toBeNull()
  now.pass(11 * HOUR)
  expect(await sessions.find(token)).not.toBeNull()
  now.pass(2 * HOUR)
  expect(await sessions.find(token)).toBeNull()
})

test('of sessions that are asked about, those are there that their tokens open', async () => {
  const { now, sessions } = start()
  const ordinary = await sessions.create({ member: member(), remember: false, label: '' })
  const remembered = await sessions.create({ member: member(), remember: true, label: '' })
  const both = [ordinary, remembered]
  for (const hours of [0, 11, 11, 3, 13 * 24, 14 * 24]) {
    now.pass(hours * HOUR)
    const there = await sessions.there(both.map(({ session }) => session.id))
    const opened = []
    for (const { token, session } of both) if (await sessions.find(token)) opened.push(session.id)
    expect(there.sort()).toEqual(opened.sort())
  }
})

test('to ask whether an idle session is there is no use of it', async () => {
  const { now, sessions } = start()
  const { session } = await sessions.create({ member: member(), remember: false, label: '' })
  now.pass(11 * HOUR)
  expect(await sessions.there([session.id])).toEqual([session.id])
  now.pass(1 * HOUR)
  expect(await sessions.there([session.id])).toEqual([])
})

test('the last use is written at most once a minute', async () => {
  const { now, sessions } = start()
  const { token, session } = await sessions.create({ member: member(), remember: false, label: '' })
  now.pass(59_000)
  expect((await sessions.find(token))?.lastSeenAt).toEqual(session.createdAt)
  now.pass(1_000)
  expect((await sessions.find(token))?.lastSeenAt).toEqual(now())
})

test('signing out everywhere else names the sessions that ended', async () => {
  const { sessions } = start()
  const [ann, bea] = [member(), member()]
  const made = await Promise.all([1, 2, 3].map(() => sessions.create({ member: ann, remember: true, label: '' })))
  const beas = await sessions.create({ member: bea, remember: true, label: '' })
  const [kept, ...others] = made.map(({ session }) => session.id) as [SessionId, ...SessionId[]]
  expect((await sessions.revokeAll(ann, kept)).sort()).toEqual(others.sort())
  expect((await sessions.list(ann)).map(({ id }) => id)).toEqual([kept])
  expect(await sessions.there([kept, ...others])).toEqual([kept])
  expect(await sessions.find(made[1]!.token)).toBeNull()
  expect(await sessions.find(beas.token)).not.toBeNull()
  expect(await sessions.revoke(bea, kept)).toBe(false)
  expect(await sessions.revoke(ann, kept)).toBe(true)
  expect(await sessions.revoke(ann, kept)).toBe(false)
})

test('the sweep removes what no token opens', async () => {
  const { now, sessions } = start()
  await sessions.create({ member: member(), remember: false, label: '' })
  const kept = await sessions.create({ member: member(), remember: true, label: '' })
  now.pass(2 * DAY)
  expect(await sessions.sweep()).toBeGreaterThan(0)
  expect(await sessions.find(kept.token)).not.toBeNull()
})

test('a ticket is good once, for a minute, and cannot be changed', async () => {
  const now = testClock()
  const tickets = createTickets({ db: app.db, secret: MASTER_KEY, now })
  const holder = { member: member(), session: randomId() as SessionId }
  const { ticket, expiresInMs } = tickets.issue(holder)
  expect(expiresInMs).toBeLessThanOrEqual(60_000)
  const other = createTickets({ db: app.db, secret: Buffer.alloc(32, 8), now })
  expect(await other.redeem(ticket)).toBeNull()
  expect(await tickets.redeem(ticket.replace(holder.member, member()))).toBeNull()
  expect(await tickets.redeem(ticket.replace(/\.(\d+)\./, (_, at) => `.${Number(at) + 1}.`))).toBeNull()
  for (const junk of ['', '...', 'a.b.c.d.e', 'x'.repeat(5000)]) expect(await tickets.redeem(junk)).toBeNull()
  const used = await Promise.all([1, 2, 3].map(() => tickets.redeem(ticket)))
  expect(used.filter((one) => one)).toEqual([holder])
  expect(await tickets.redeem(tickets.issue(holder).ticket)).toEqual(holder)
  const late = tickets.issue(holder).ticket
  expect(await tickets.sweep()).toBe(0)
  now.pass(60_000)
  expect(await tickets.redeem(late)).toBeNull()
  expect(await tickets.sweep()).toBe(2)
})

test('a used ticket is used in every spelling', async () => {
  const tickets = createTickets({ db: app.db, secret: MASTER_KEY, now: testClock() })
  const { ticket } = tickets.issue({ member: member(), session: randomId() as SessionId })
  expect(await tickets.redeem(ticket)).not.toBeNull()
  for (const variant of [ticket, ...variantsOf(ticket)])
    expect([variant, await tickets.redeem(variant)]).toEqual([variant, null])
})

test('a ticket, and a link of a file, is good as it was signed and in no other spelling', async () => {
  const made = { secret: MASTER_KEY, now: testClock() }
  const [tickets, links, viewer, id] = [
    createTickets({ db: app.db, ...made }),
    createMediaLinks(made),
    member(),
    randomId(),
  ]
  const { ticket } = tickets.issue({ member: viewer, session: randomId() as SessionId })
  for (const variant of variantsOf(ticket)) expect([variant, await tickets.redeem(variant)]).toEqual([variant, null])
  const link = links.sign(viewer, id)
  expect(links.verify(id, link)).toBe(viewer)
  for (const variant of variantsOf(link)) expect([variant, links.verify(id, variant)]).toEqual([variant, null])
})

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other texts whose signature decodes to the same bytes: a lenient decoder skips what is no letter and unused bits. */
function variantsOf(signed: string): string[] {
  const last = BASE64URL.indexOf(signed.at(-1)!)
  const siblings = [1, 2, 3].map((bits) => signed.slice(0, -1) + BASE64URL[last ^ bits])
  return [...siblings, `${signed}=`, `${signed}!`, `${signed} `, signed.replace(/\.([^.]*)$/, '. $1')]
}
