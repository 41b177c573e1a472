import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { MemberId, NotificationId } from '../../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import type { Projection } from '../../../projections/projection.ts'
import { relations } from '../../../projections/relations/project.ts'
import { lines } from '../../support/toy-projections.ts'
import { AT, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'
import { countInserts, liveOf, refuseRows, refusing, retried, waiting } from './retry-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
const pair = pairStream(ann, bea)
const matched: DomainEvent = { type: 'Matched', members: [ann, bea], at: AT }
const blockedBy = (by: MemberId) => ({ type: 'Blocked', by, target: by === ann ? bea : ann, at: AT }) as const
const unblockedBy = (by: MemberId) => ({ ...blockedBy(by), type: 'Unblocked' }) as const
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const rowOf = async (who: MemberId) =>
  (await rig.pool.query('select liked_at, matched_at, blocked_at from read.relation where member = $1', [who])).rows[0]
const failed = expect.stringMatching(/^its handler failed/)

test('what comes before a block that is poison itself is applied, and the block stays by its own reason', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed', 'Blocked')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), matched, blockedBy(ann), unblockedBy(ann))
  refuse('Blocked')
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: failed })
  expect(await rowOf(ann)).toEqual({ liked_at: AT, matched_at: AT, blocked_at: null })
  expect(await waiting(rig)).toEqual([
    { revision: 2, reason: failed },
    { revision: 3, reason: expect.stringMatching(/^waits behind/) },
  ])
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a block that could not be applied as it came stands with the first part once it can', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed', 'Blocked')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), matched, blockedBy(ann))
  refuse('Matched')
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: failed })
  expect(await rowOf(ann)).toMatchObject({ liked_at: null, blocked_at: AT })
  // It is in the rows, as if it had gone ahead when it came.
  expect(await waiting(rig)).toEqual([
    { revision: 1, reason: failed },
    { revision: 2, reason: `waits behind ${uuidFrom(pair, 1)}` },
  ])
})

test('what a retry has applied ahead is left out of none of its later parts', async () => {
  const { failing, refuse } = refusing(relations)
  let times = 0
  const Blocked: typeof relations.when.Blocked = (event) => {
    if (times-- <= 0) throw new Error('not yet')
    return relations.when.Blocked!(event)
  }
  const rarely: Projection = { ...failing, when: { ...failing.when, Blocked } }
  refuse('Buzzed')
  const shown = await liveOf(rig, rarely)
  await shown(pair, buzzed(ann, bea), matched, blockedBy(ann))
  refuse()
  times = 1
  const reason = expect.stringContaining(`Blocked ${uuidFrom(pair, 2)} (${pair}@2)`)
  expect(await retried(rig, rarely, pair)).toMatchObject({ applied: 0, reason })
  expect(await rowOf(ann)).toEqual({ liked_at: null, matched_at: null, blocked_at: AT })
})

test('what waits behind an event that a retry has applied waits behind the one that it stops at', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), matched, unblockedBy(ann))
  refuse('Matched')
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: failed })
  expect(await waiting(rig)).toEqual([
    { revision: 1, reason: failed },
    { revision: 2, reason: `waits behind ${uuidFrom(pair, 1)}` },
  ])
})

test('a block that stands and can be applied no more ends the retry by its name, and keeps standing', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), unblockedBy(ann), blockedBy(ann))
  const before = await waiting(rig)
  refuse('Blocked')
  const reason = expect.stringContaining(`Blocked ${uuidFrom(pair, 2)} (${pair}@2)`)
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 0, reason })
  expect(await rowOf(ann)).toMatchObject({ blocked_at: AT })
  expect(await waiting(rig)).toEqual(before)
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 3, reason: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('an erasure that cannot be applied is never left out: nothing before it comes back, of its member or of a pair', async () => {
  const { failing, refuse } = refusing(notifications)
  const shown = await liveOf(rig, failing)
  refuse('NotificationRemoved', 'AccountErased', 'Matched')
  const notification = idFrom('none', '') as NotificationId
  await shown(`inbox-${bea}`, { type: 'NotificationRemoved', member: bea, notification, at: AT })
  await shown(pair, matched)
  await shown(`member-${bea}`, { type: 'AccountErased', member: bea, at: AT })
  refuse('AccountErased')
  const reason = expect.stringContaining(`AccountErased ${uuidFrom(`member-${bea}`, 0)} (member-${bea}@0)`)
  for (const key of [bea, pair]) expect(await retried(rig, failing, key)).toMatchObject({ applied: 0, reason })
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 2, reason: null })
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('parts are whole again behind events that go one by one alone', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 1')
  await shown(pair, ...Array.from({ length: 14 }, (_, index) => sent(ann, bea, index + 1)))
  await mend()
  await rig.pool.query(`create function apart() returns trigger language plpgsql as $$ begin
      if exists (select from p_lines_v1.line where number = 1 and xmin = pg_current_xact_id()::xid)
      then raise exception 'x' using errcode = '23514'; end if; return new; end $$;
    create trigger apart after insert on p_lines_v1.line for each row when (new.number = 2) execute function apart()`)
  const most = await countInserts(rig, 'p_lines_v1.line')
  expect(await retried(rig, lines, pair, { part: 4 })).toMatchObject({ applied: 14, reason: null })
  expect(await most()).toBe(4)
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a block of either side stands after each part, however often the other side blocks behind it', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed')
  const shown = await liveOf(rig, failing)
  const again = Array.from({ length: 60 }, () => blockedBy(ann))
  await shown(pair, buzzed(ann, bea), unblockedBy(bea), matched, blockedBy(bea), ...again)
  refuse('Matched')
  expect(await retried(rig, failing, pair, { part: 2 })).toMatchObject({ applied: 2, reason: failed })
  expect([await rowOf(ann), await rowOf(bea)]).toMatchObject([{ blocked_at: AT }, { blocked_at: AT }])
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 62, reason: null, incomplete: false })
  expect(await rig.wrongRows([relations])).toEqual([])
})
