import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import { isErased, type Personal } from '../../../domain/shared/personal.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { createCodec, definitionOf, personalFieldsOf } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { listMessages } from '../../../projections/conversations/queries.ts'
import { administer } from '../../../server/tools/admin/commands.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
const CANARY = 'quokkaberg'
const EMAIL = `${CANARY}@example.com`

beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann', { email: EMAIL, lastName: `${CANARY}son`, location: { lat: 40, lng: 10 } })
  bea = await world.member('Bea')
  await world.edit(ann, { bio: `I am ${CANARY}`, city: CANARY, hobbies: [CANARY], orientation: CANARY })
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, `${CANARY} says hello`)
  await world.sendMessage(bea, ann, 'Hello back')
  await world.services.mailer.send({ to: EMAIL, subject: 'A code', text: `For ${CANARY}`, html: '' })
  await world.services.mailer.send({ to: bea.email, subject: 'A code', text: '1', html: '' })
  await world.settled()
})
afterAll(() => world.stop())

/** Who wrote a certificate of the erasure, in order. */
async function certifiersOf({ id }: Person): Promise<unknown[]> {
  const events = await world.core.log.read(`member-${id}`)
  return events.filter(({ type }) => type === 'ErasureCertified').map(({ metadata }) => metadata.actor)
}

const erase = () => administer(world.product, { words: ['erase', ann.id], yes: true })

/** Every row of every table as text, but the log's. */
async function everyRow(): Promise<string> {
  const { pool } = world.core.storage
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema)'`,
  )
  const dumps = tables.map(({ name }) => pool.query<{ row: string }>(`select t::text as row from ${name} t`))
  return (await Promise.all(dumps)).flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}

/** As a process reads the log that knows no key yet. */
async function readLog(): Promise<DomainEvent[]> {
  const { log, storage } = world.core
  return createCodec(createKeyRing(storage.pool, world.secrets.masterKey)).decode(await log.readAll(START, 5_000))
}

function fieldsOf(events: readonly DomainEvent[], member: string): Personal<unknown>[] {
  return events.flatMap((event) =>
    personalFieldsOf(definitionOf(event.type).latest)
      .filter(({ subjectField }) => event[subjectField as keyof DomainEvent] === member)
      .map(({ name }) => event[name as keyof DomainEvent]),
  )
}

test('an interrupted erasure is resumed by the same call', async () => {
  expect(await everyRow()).toContain(CANARY)
  expect(fieldsOf(await readLog(), ann.id).some(isErased)).toBe(false)
  const { services, context } = world
  const broken = { ...services.media, removeAll: () => Promise.reject(new Error('interrupted')) }
  const cut = { ...context, media: broken, actor: 'admin:test' }
  await expect(eraseAccount(cut, ann.id)).rejects.toThrow('interrupted')
  expect((await context.loadState(memberDecider, ann.id)).status).toBe('gone')
  const answer = (await erase()).join()
  const [by, ...others] = await certifiersOf(ann)
  // The reactor is on its way too: whoever comes to the end first has finished it, and the other reports that.
  const how = by === 'admin:cli' ? 'taken up where it stopped' : 'and was before'
  expect(answer).toContain(`${ann.id} is erased (${how})`)
  expect(others).toEqual([])
  await world.settled()
})

test('of those who finish one erasure at once exactly one has finished it, whose certificate it is', async () => {
  const cat = await world.member('Cat')
  const finishers = ['admin:one', 'admin:two', 'admin:three', 'admin:four']
  const done = await Promise.all(
    finishers.map(async (actor) => ({ actor, ...(await eraseAccount({ ...world.context, actor }, cat.id)) })),
  )
  expect(done.map(({ ok }) => ok)).toEqual([true, true, true, true])
  const finished = done.flatMap((one) => ('finished' in one && one.finished ? [one.actor] : []))
  await until('the reactor is through', async () => (await certifiersOf(cat)).length > 0)
  const by = await certifiersOf(cat)
  expect(by).toHaveLength(1)
  expect(finished).toEqual(by.filter((actor) => actor !== 'reactor:finish-erasure'))
  expect(await world.services.erasure.listUnsettled()).not.toContain(cat.id)
})

test('no field of the member in the log can be read again, and nobody else loses one', async () => {
  const events = await readLog()
  const mine = fieldsOf(events, ann.id)
  expect(mine.length).toBeGreaterThan(15)
  expect(mine.every(isErased)).toBe(true)
  expect(fieldsOf(events, bea.id).some(isErased)).toBe(false)
  expect(JSON.stringify(await world.core.log.readAll(START, 5_000))).not.toContain(CANARY)
})

test('nothing of the member stands in any table or file', async () => {
  expect(await everyRow()).not.toContain(CANARY)
  const { credentials, sessions, positions, media } = world.services
  expect(await credentials.findByMember(ann.id)).toBeNull()
  expect(await sessions.find(ann.token)).toBeNull()
  expect(await positions.findRaw(ann.id)).toBeNull()
  expect(await world.read.selectFrom('member_cell').selectAll().where('member', '=', ann.id).execute()).toEqual([])
  expect(await media.list({ member: ann.id })).toEqual([])
  expect(await world.mail(EMAIL)).toBeNull()
  expect(await world.mail(bea.email)).not.toBeNull()
})

test('the read models equal a fold of what is left', async () => {
  const { log, codec, storage } = world.core
  expect(await compareWithTables(storage.pool, allProjections, await foldOfLog(log, codec, allProjections))).toEqual([])
  const kept = await listMessages(world.read, bea.id, ann.id)
  expect(kept?.messages.map(({ text }) => text)).toContain('Hello back')
})

test('the address is free for somebody new', async () => {
  const again = await world.member('Anna', { email: EMAIL })
  expect(again.id).not.toBe(ann.id)
})

test('an erased member is known no more, and erasing again is quiet', async () => {
  const head = await world.core.log.head()
  expect((await erase()).join()).toContain('is erased (and was before)')
  expect(await world.core.log.head()).toBe(head)
  expect(await administer(world.product, { words: ['find', ann.id], yes: false })).toEqual([`${ann.id}: erased`])
})
