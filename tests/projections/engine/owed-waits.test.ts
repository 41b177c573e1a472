import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MemberId, type NotificationId, pairIdOf } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { until } from '../../support/until.ts'
import { AT, buzzed, type EngineRig, member, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
const friends = Array.from({ length: 120 }, (_, index) => member(`friend ${index}`))
const TABLE = `p_notifications_v${notifications.version}.notification`
/** What each row takes as it goes: all of them many seconds. */
const ROW_MS = 100
const PIECE = 5
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const start = async () => {
  const projector = rig.project([notifications], { piece: PIECE })
  await projector.start()
  return projector
}
type Unread = { id: NotificationId; position: Position }
const buzz = (from: MemberId, to: MemberId) => rig.append(`pair-${pairIdOf(from, to)}`, buzzed(from, to))
const unread = async (of: MemberId, from: MemberId) => {
  const asked = `select id, position from ${TABLE} where recipient = $1 and from_member = $2 and read_at is null`
  return (await rig.pool.query<Unread>(asked, [of, from])).rows
}
const left = async () => (await rig.pool.query(`select from ${TABLE} where from_member = $1`, [ann])).rows.length

/** Ann has buzzed very many, and Bea was buzzed by a friend; then Ann is erased. */
async function erasedAnn() {
  const projector = await start()
  await Promise.all(friends.map((friend) => buzz(ann, friend)))
  expect(await projector.waitFor(await buzz(friends[0]!, bea), undefined, 20_000)).toBe(true)
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${ROW_MS / 1000}); return old; end $$`)
  await rig.pool.query(`create trigger slow before delete on ${TABLE} for each row execute function slow()`)
  const erased = await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  expect(await projector.waitFor(erased, undefined, 10_000)).toBe(true)
  return projector
}

test('who marks all as read does not wait for what an erasure has yet to take away', async () => {
  const projector = await erasedAnn()
  const [own, doomed] = [await unread(bea, friends[0]!), await unread(friends[99]!, ann)]
  for (const [reader, all] of [
    [bea, own],
    [friends[99]!, doomed],
  ] as const) {
    const [{ id, position: upTo }] = all as [Unread]
    const event = { type: 'AllNotificationsRead' as const, member: reader, upTo, notifications: [id], at: AT }
    expect(await projector.waitFor(await rig.append(`inbox-${reader}`, event), undefined, 5_000)).toBe(true)
  }
  expect(await left()).toBeGreaterThan(friends.length / 2)
  expect(await unread(bea, friends[0]!)).toEqual([])
  await rig.pool.query(`drop trigger slow on ${TABLE}`)
  await until('nothing is owed', async () => (await left()) === 0, 30_000)
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('a stop does not wait until all is paid that an event waits for, and the next process goes on', async () => {
  const projector = await erasedAnn()
  const before = await left()
  // It writes a row that the erasure would take away.
  const buzzedAgain = await buzz(ann, friends[99]!)
  await until('the event waits', async () => (await left()) < before - 3 * PIECE)
  const stopsAt = performance.now()
  await projector.stop()
  expect(performance.now() - stopsAt).toBeLessThan(3_000)
  expect(await left()).toBeGreaterThan(friends.length / 3)
  await rig.pool.query(`drop trigger slow on ${TABLE}`)
  expect(await (await start()).waitFor(buzzedAgain, undefined, 10_000)).toBe(true)
  expect(await left()).toBe(1)
  expect(rig.reports.filter(({ level }) => level === 'error')).toEqual([])
  expect(await rig.wrongRows([notifications])).toEqual([])
})
