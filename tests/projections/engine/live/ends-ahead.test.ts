import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../../../../domain/all-events.ts'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { notifications } from '../../../../projections/notifications/project.ts'
import { relations } from '../../../../projections/relations/project.ts'
import { AT, buzzed, type EngineRig, member, pairStream, startEngineRig } from '../../engine-rig.ts'
import { liveOf, refusing, retried } from '../retry-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
const pair = pairStream(ann, bea)
const matched: DomainEvent = { type: 'Matched', members: [ann, bea], at: AT }
const annToBea = { by: ann, target: bea, at: AT } as const
const unmatched: DomainEvent = { type: 'Unmatched', ...annToBea }
const withdrawn: DomainEvent = { type: 'BuzzWithdrawn', from: ann, to: bea, at: AT }
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const query = async (text: string) => (await rig.pool.query(text)).rows
const shownOf = async (who: MemberId) =>
  (await query(`select liked_at, matched_at, unmatched_at, blocked_at from read.relation where member = '${who}'`))[0]

test('behind an event that cannot be applied an unmatch and a withdrawn buzz end at once what they end', async () => {
  const { failing, refuse } = refusing(relations)
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), matched)
  refuse(uuidFrom(pair, 2))
  await shown(pair, { type: 'SkipUndone', ...annToBea }, unmatched)
  for (const who of [ann, bea])
    expect(await shownOf(who)).toEqual({ liked_at: null, matched_at: null, unmatched_at: AT, blocked_at: null })
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null })
  await shown(pair, buzzed(ann, bea))
  refuse(uuidFrom(pair, 5))
  await shown(pair, { type: 'SkipUndone', ...annToBea }, withdrawn)
  expect(await shownOf(ann)).toMatchObject({ liked_at: null })
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('behind an event that cannot be applied nothing begins: a match and the end of a block wait for the retry', async () => {
  const { failing, refuse } = refusing(relations)
  const shown = await liveOf(rig, failing)
  refuse(uuidFrom(pair, 0))
  await shown(pair, buzzed(ann, bea), matched, { type: 'Blocked', ...annToBea }, { type: 'Unblocked', ...annToBea })
  expect(await shownOf(ann)).toMatchObject({ blocked_at: AT })
  await shown(pair, unmatched, buzzed(bea, ann), matched)
  expect(await shownOf(ann)).toMatchObject({ matched_at: null, blocked_at: AT })
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 7, reason: null })
  expect(await shownOf(ann)).toMatchObject({ matched_at: AT, blocked_at: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('behind an event that cannot be applied no notification is left of what has ended', async () => {
  const { failing, refuse } = refusing(notifications)
  const shown = await liveOf(rig, failing)
  const types = async () =>
    (await query('select type from read.notification order by position')).map(({ type }) => type)
  await shown(pair, buzzed(ann, bea))
  refuse(uuidFrom(pair, 1))
  await shown(pair, buzzed(bea, ann))
  expect(await types()).toEqual(['buzz'])
  await shown(pair, withdrawn)
  expect(await types()).toEqual([])
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null })
  await shown(pair, buzzed(ann, bea), matched)
  expect(await types()).toEqual(['match', 'match'])
  refuse(uuidFrom(pair, 5))
  await shown(pair, buzzed(ann, bea), unmatched)
  expect(await types()).toEqual([])
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
})
