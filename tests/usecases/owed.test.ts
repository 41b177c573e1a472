import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dispatch } from '../../eventstore/dispatch.ts'
import { LogUnavailable } from '../../eventstore/log.ts'
import { sendDue } from '../../reactors/send-owed.ts'
import { createLogger } from '../../services/log.ts'
import { endOtherSessions } from '../../usecases/identity/end-sessions.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { changeOwing, type Owe } from '../../usecases/owed.ts'
import type { Ports } from '../../usecases/ports.ts'
import { withoutAppends } from '../support/acting/failing-log.ts'
import { signedInAs } from '../support/acting/signed-in.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

/** Nothing that is owed is sent there by itself. */
let world: World
beforeAll(async () => {
  world = await startWorld({ web: false, config: { roles: new Set(['web', 'projector', 'realtime']) } })
})
afterAll(() => world.stop())

type Note = Parameters<Owe>[0]
const ON: Note = { type: 'NoteSecondFactor', how: 'turned-on' }
const RENEWED: Note = { type: 'NoteSecondFactor', how: 'codes-renewed' }
const OFF: Note = { type: 'NoteSecondFactor', how: 'turned-off' }

const changes = (ports: Ports, { id }: Person, ...notes: readonly Note[]) =>
  changeOwing(ports, id, async (_rows, owe) => notes.forEach(owe))
const rowsOf = ({ id }: Person) =>
  world.core.storage.app.selectFrom('owed_command').selectAll().where('member', '=', id).orderBy('number').execute()
/** When one comes next, in hours; how often it was refused so far. */
const puts = (id: string, hours: number, refused = 0) =>
  world.core.storage.app
    .updateTable('owed_command')
    .set({ due_at: new Date(Date.now() + hours * 3_600_000), refused })
    .where('id', '=', id)
    .execute()
const isNote = (row: { what: object }, note: Note) => 'how' in row.what && 'how' in note && row.what.how === note.how
const eventsOf = async ({ id }: Person) =>
  (await world.core.codec.decode(await world.core.log.read(`member-${id}`)))
    .map((event) => ('how' in event ? event.how : event.type))
    .slice(1)

/** Somebody about whom two changes are owed: the first is not due, the second is. */
async function owingTwo(name: string, ...changed: readonly (readonly Note[])[]) {
  const who = await world.member(name)
  for (const notes of changed) await changes(withoutAppends(world.context), who, ...notes)
  const rows = await rowsOf(who)
  const [first, second] = [ON, OFF].map((note) => rows.find((row) => isNote(row, note))!)
  await puts(first!.id, 1)
  await puts(second!.id, -1)
  return { who, first: first!, second: second! }
}

test('of one account’s the older is taken first, however late it is tried again; others do not wait for it', async () => {
  const { owed } = world.services
  for (const changed of [[[ON], [OFF]], [[ON, OFF]]]) {
    const { first, second } = await owingTwo('Ann', ...changed)
    expect(await owed.take()).toBeNull()
    const bea = await world.member('Bea')
    await changes(withoutAppends(world.context), bea, RENEWED)
    const [other] = await rowsOf(bea)
    await puts(other!.id, -0.5)
    expect(await owed.take()).toMatchObject({ id: other!.id })
    await owed.settle(other!)
    await puts(first.id, 0)
    expect(await owed.take()).toMatchObject({ id: first.id, tries: 1 })
    expect(await owed.take()).toBeNull()
    await owed.settle(first)
    expect(await owed.take()).toMatchObject({ id: second.id })
    await owed.settle(second)
  }
})

type Sending = { readonly dispatch?: Dispatch; readonly lines?: string[]; readonly once?: boolean }

/** What a process with the reactors does, once or until so much is left of somebody's. */
async function sends(who: Person, left: number, { dispatch = world.core.dispatch, lines = [], once }: Sending = {}) {
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })
  const deps = { dispatch, owed: world.services.owed, logger }
  const isSo = async () => (await rowsOf(who)).length === left
  const send = () => sendDue(deps, 'any', new AbortController().signal)
  await send()
  if (once) expect(await isSo()).toBe(true)
  else await until('so much is left', async () => (await isSo()) || (await send()))
}

test('of an account that is erased nothing is owed any more', async () => {
  const zoe = await world.member('Zoe')
  expect(await eraseAccount({ ...world.context, actor: zoe.id }, zoe.id)).toMatchObject({ ok: true })
  await changes(withoutAppends(world.context), zoe, ON)
  expect(await rowsOf(zoe)).toEqual([])
})

test('a change is not sent at once before an older one that is left', async () => {
  const cat = await world.member('Cat')
  await changes(withoutAppends(world.context), cat, ON)
  await changes(world.context, cat, OFF)
  expect(await eventsOf(cat)).toEqual([])
  for (const { id } of await rowsOf(cat)) await puts(id, -1)
  await sends(cat, 0)
  expect(await eventsOf(cat)).toEqual(['turned-on', 'turned-off'])
  await changes(world.context, cat, RENEWED)
  expect([await eventsOf(cat), await rowsOf(cat)]).toEqual([['turned-on', 'turned-off', 'codes-renewed'], []])
})

test('however many send at once, each account’s go in the order of its changes', async () => {
  const people = await Promise.all(['Ora', 'Pia', 'Quin'].map((name) => world.member(name)))
  for (const who of people)
    for (const note of [ON, RENEWED, OFF]) await changes(withoutAppends(world.context), who, note)
  for (const who of people) for (const { id } of await rowsOf(who)) await puts(id, -1)
  await Promise.all(people.flatMap((who) => [sends(who, 0), sends(who, 0)]))
  for (const who of people) expect(await eventsOf(who)).toEqual(['turned-on', 'codes-renewed', 'turned-off'])
})

test('one that fails for a day is given up, with an error, and stays in its table; what came after it is sent', async () => {
  const { who, first } = await owingTwo('Dan', [ON], [OFF])
  await puts(first.id, -1, 1_439)
  const refused: string[] = []
  const dispatch: Dispatch = async (decider, command, context) => {
    if (context.commandId !== first.id) return world.core.dispatch(decider, command, context)
    refused.push(context.commandId)
    throw new Error('not this one')
  }
  const lines: string[] = []
  await sends(who, 1, { dispatch, lines })
  expect(await eventsOf(who)).toEqual(['turned-off'])
  expect(await rowsOf(who)).toMatchObject([{ id: first.id, given_up: true }])
  expect(refused).toHaveLength(1)
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  expect(errors).toMatchObject([{ kind: 'owed', name: 'NoteSecondFactor' }])
  expect(lines.join()).not.toContain(who.id)
  await changes(world.context, who, RENEWED)
  expect(await eventsOf(who)).toEqual(['turned-off', 'codes-renewed'])
  await puts(first.id, -1)
  expect(await world.services.owed.take()).toBeNull()
})

test('one that was given up has a day of tries again once the statement of ARCHITECTURE.md ran', async () => {
  const { who, first } = await owingTwo('Gus', [ON], [OFF])
  const statement = readFileSync('ARCHITECTURE.md', 'utf8').match(/`(update app\.owed_command [^`]+)`/)?.[1]
  await puts(first.id, -1, 1_439)
  const { owed } = world.services
  const again = `${statement} where id = '${first.id}'`
  await owed.giveUp((await owed.take())!)
  await world.core.storage.pool.query(again)
  expect((await rowsOf(who))[0]).toMatchObject({ id: first.id, given_up: false, tries: 0, refused: 0 })
  for (const { id } of await rowsOf(who)) await puts(id, -1)
  await sends(who, 0)
})

test('a command that the log refuses delays no other account’s', async () => {
  const refused = await Promise.all(['Hal', 'Ida', 'Jon', 'Kay', 'Leo'].map((name) => world.member(name)))
  for (const who of refused) await changes(withoutAppends(world.context), who, ON)
  const ids = new Set<string>()
  for (const who of refused) for (const { id } of await rowsOf(who)) ids.add(id)
  for (const id of ids) await puts(id, -2)
  const mia = await world.member('Mia')
  await changes(withoutAppends(world.context), mia, ON)
  for (const { id } of await rowsOf(mia)) await puts(id, -1)
  const tried: string[] = []
  const dispatch: Dispatch = async (decider, command, context) => {
    if (!ids.has(context.commandId)) return world.core.dispatch(decider, command, context)
    tried.push(context.commandId)
    throw new Error('not this one')
  }
  await sends(mia, 0, { dispatch, once: true })
  expect(new Set(tried)).toEqual(ids)
  for (const who of refused) for (const { id } of await rowsOf(who)) await world.services.owed.settle({ id })
})

test('a command that loses a race for its stream stays owed, and comes again', async () => {
  const nia = await world.member('Nia')
  const loses: Dispatch = async () => ({ ok: false, reason: 'conflict' })
  await changes({ ...world.context, dispatch: loses }, nia, ON)
  expect([await rowsOf(nia), await eventsOf(nia)]).toMatchObject([[{ given_up: false }], []])
  for (const { id } of await rowsOf(nia)) await puts(id, -1)
  await sends(nia, 0)
  expect(await eventsOf(nia)).toEqual(['turned-on'])
})

test('nothing is given up while the log is away, however long', async () => {
  const { who, first } = await owingTwo('Fay', [ON], [OFF])
  await puts(first.id, -1, 1_439)
  let tries = 0
  const dispatch = async () => {
    tries++
    throw new LogUnavailable('a test’s log is away')
  }
  const logger = createLogger({ level: 'silent' })
  await sendDue({ dispatch, owed: world.services.owed, logger }, first.id, new AbortController().signal)
  expect(tries).toBe(1)
  expect(await rowsOf(who)).toMatchObject([{ given_up: false, refused: 1_439 }, { given_up: false }])
  await puts(first.id, -1)
  await sends(who, 0)
  expect(await eventsOf(who)).toEqual(['turned-on', 'turned-off'])
})

test('any number of sessions that end at once come in events of a thousand', async () => {
  const eve = await world.member('Eve')
  const acting = await signedInAs(world.context, eve)
  await world.core.storage.pool.query(
    `insert into app.session (id, token_hash, member, remember, label, created_at, last_seen_at, auth_at)
     select 'e' || lpad(n::text, 23, '0'), sha256(n::text::bytea), $1, true, 'x', now(), now(), now()
     from generate_series(1, 2500) n`,
    [eve.id],
  )
  expect(await endOtherSessions(acting)).toMatchObject({ ok: true })
  await until('nothing is owed', async () => (await rowsOf(eve)).length === 0)
  const events = await world.core.codec.decode(await world.core.log.read(`member-${eve.id}`))
  const ended = events.flatMap((event) => (event.type === 'SessionsRevoked' ? [event.sessions] : []))
  expect(ended.map((sessions) => sessions.length)).toEqual([1_000, 1_000, 500])
  expect(new Set(ended.flat()).size).toBe(2_500)
})
