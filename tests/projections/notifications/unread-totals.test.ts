import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getNotificationCounts, unreadTotals } from '../../../projections/notifications/queries.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import { ann, bea, matched } from '../../support/people.ts'
import { readOfTests } from '../../support/read-of-tests.ts'

const { having } = readOfTests(['Ann', 'Bea'])

/** So many that Ann has not read, of whoever is like Bea. */
async function notify(db: ReadDb, type: 'buzz' | 'match', count: number): Promise<void> {
  await sql`insert into profile select (jsonb_populate_record(p, jsonb_build_object('member', ${type}::text || i))).*
    from profile p, generate_series(1, ${sql.lit(count)}) i where p.member = ${bea}`.execute(db)
  await sql`insert into notification (id, recipient, type, from_member, created_at, position)
    select ${type}::text || i, ${ann}, ${type}, ${type}::text || i, now(), lpad(i::text, 13, '0')
    from generate_series(1, ${sql.lit(count)}) i`.execute(db)
}

const totals = (db: ReadDb) => unreadTotals(db, ann).executeTakeFirstOrThrow()

test('unread notifications are counted, buzzes also apart, and no further than 99+ is shown', async () => {
  const db = await having(...matched(ann, bea))
  await sql`truncate notification`.execute(db)
  expect(await totals(db)).toEqual({ buzzes: 0, notifications: 0 })
  await notify(db, 'match', 30)
  await notify(db, 'buzz', 20)
  expect(await totals(db)).toEqual({ buzzes: 20, notifications: 50 })
  await sql`delete from profile where member like 'buzz%'`.execute(db)
  await sql`delete from notification where type = 'buzz'`.execute(db)
  await notify(db, 'buzz', 5_000)
  expect(await totals(db)).toEqual({ buzzes: 100, notifications: 100 })
  expect(await getNotificationCounts(db, ann)).toEqual({ total: 100, buzz: 100, match: 30 })
})

test('a page reads few of many unread notifications', async () => {
  const db = await having(...matched(ann, bea))
  await notify(db, 'buzz', 5_000)
  const { sql: text, parameters } = unreadTotals(db, ann).compile()
  const explain = `explain (analyze, format json) ${text}`
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>({
    ...unreadTotals(db, ann).compile(),
    sql: explain,
    parameters,
  })
  expect(rowsOf(rows[0]!['QUERY PLAN'][0]!.Plan)).toBeLessThan(1_500)
})

type Node = { 'Relation Name'?: string; 'Actual Loops': number; 'Actual Rows': number; Plans?: Node[] }
const rowsOf = (node: Node): number =>
  (node['Relation Name'] === undefined ? 0 : node['Actual Loops'] * node['Actual Rows']) +
  (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
