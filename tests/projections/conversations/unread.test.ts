import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { findRoom, listConversations } from '../../../projections/conversations/queries.ts'
import { countUnread, unreadTotal } from '../../../projections/conversations/unread.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import { ann, bea, cat, matched } from '../../support/people.ts'
import { readOfTests } from '../../support/read-of-tests.ts'

const { having } = readOfTests(['Ann', 'Bea', 'Cat'])
const MANY = 100_000

/** Messages that `to` has not read, after those that are in the room. */
async function write(db: ReadDb, from: MemberId, to: MemberId, count: number): Promise<void> {
  const room = pairIdOf(from, to)
  const { last } = await db
    .selectFrom('message')
    .select(sql<number>`coalesce(max(number), 0)::int`.as('last'))
    .where('room', '=', room)
    .executeTakeFirstOrThrow()
  await sql`insert into message (room, number, id, from_member, text, sent_at)
    select ${room}, ${last}::int + i, 'm-' || (${last}::int + i), ${from}, 'Hi', now() from generate_series(1, ${count}::int) i`.execute(
    db,
  )
  const received = (eb: { ref(column: 'last_received'): unknown }) => eb.ref('last_received')
  for (const member of [from, to])
    await db
      .updateTable('conversation')
      .set((eb) => ({
        last_number: last + count,
        last_received: member === to ? last + count : (received(eb) as never),
      }))
      .where('room', '=', room)
      .where('member', '=', member)
      .execute()
}

type Node = { 'Relation Name'?: string; 'Actual Loops': number; 'Actual Rows': number; Plans?: Node[] } & Record<
  string,
  unknown
>
const rowsRead = (node: Node): number =>
  (node['Relation Name']?.startsWith('message')
    ? node['Actual Loops'] * (node['Actual Rows'] + Number(node['Rows Removed by Filter'] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)

/** The same database, and how many messages Postgres looks at for the queries that are asked of it. */
async function looked(db: ReadDb, ask: (db: ReadDb) => Promise<unknown>): Promise<number> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const watching = db.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(db.getExecutor().compileQuery(node, { queryId: 'looked' }))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await ask(watching)
  let rows = 0
  for (const query of asked) {
    const explain = { ...query, sql: `explain (analyze, format json) ${query.sql}` }
    const { rows: plans } = await (db as Kysely<unknown>).executeQuery<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      explain as never,
    )
    rows += rowsRead(plans[0]!['QUERY PLAN'][0].Plan)
  }
  return rows
}
const totalOf = async (db: ReadDb, viewer: MemberId) => (await unreadTotal(db, viewer).executeTakeFirstOrThrow()).chat

test('nobody counts further than is shown, however much waits in a room', async () => {
  const db = await having(...matched(ann, bea))
  await write(db, bea, ann, MANY)
  expect(await countUnread(db, ann)).toEqual({ total: 100, byUser: { [bea]: 100 } })
  expect([await totalOf(db, ann), (await findRoom(db, ann, bea))?.unread]).toEqual([100, 100])
  expect((await listConversations(db, ann)).items.map(({ unread }) => unread)).toEqual([100])
  expect(await countUnread(db, bea)).toEqual({ total: 0, byUser: {} })
})

test('what is looked at is bounded, whoever of the two wrote it', async () => {
  const db = await having(...matched(ann, bea), ...matched(ann, cat))
  await write(db, bea, ann, MANY)
  await write(db, cat, ann, 1)
  await write(db, ann, cat, MANY)
  await write(db, cat, ann, 1)
  await sql`analyze message`.execute(db)
  for (const ask of [
    (on: ReadDb) => countUnread(on, ann),
    (on: ReadDb) => totalOf(on, ann),
    (on: ReadDb) => listConversations(on, ann),
    (on: ReadDb) => findRoom(on, ann, bea),
  ])
    expect(await looked(db, ask)).toBeLessThanOrEqual(500)
  expect((await countUnread(db, ann)).byUser[cat]).toBeGreaterThan(0)
})

test('all rooms together count no further either, and nothing of what one wrote oneself', async () => {
  const db = await having(...matched(ann, bea), ...matched(ann, cat))
  await write(db, bea, ann, 60)
  await write(db, ann, cat, 20)
  await write(db, cat, ann, 39)
  expect([await totalOf(db, ann), await countUnread(db, ann)]).toEqual([
    99,
    { total: 99, byUser: { [bea]: 60, [cat]: 39 } },
  ])
  await write(db, cat, ann, 30)
  expect([await totalOf(db, ann), await countUnread(db, ann)]).toEqual([
    100,
    { total: 100, byUser: { [bea]: 60, [cat]: 69 } },
  ])
})
