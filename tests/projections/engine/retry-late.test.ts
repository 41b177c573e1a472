import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId, NotificationId } from '../../../domain/shared/ids.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import type { Projection } from '../../../projections/projection.ts'
import { relations } from '../../../projections/relations/project.ts'
import { AT, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'
import { liveOf, refusing, retried, waiting } from './retry-rig.ts'

const [ann, bea, cat] = ['Ann', 'Bea', 'Cat'].map(member) as [MemberId, MemberId, MemberId]
const pair = pairStream(ann, bea)
const after = (seconds: number) => new Date(AT.getTime() + 1_000 * seconds)
const erased = { type: 'AccountErased', member: bea, at: AT } as const
const blocked = { type: 'Blocked', by: cat, target: bea, at: AT } as const
const removed = {
  type: 'NotificationRemoved',
  member: bea,
  notification: idFrom('none', '') as NotificationId,
  at: AT,
} as const
const skipped = { type: 'Skipped', by: ann, target: bea, until: after(100), at: AT } as const
const likedAt = (seconds: number, to = bea) => ({ ...buzzed(ann, to), at: after(seconds) })
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Live refuses events of this type; `mended` takes all. */
async function refusingLive(projection: Projection, type: string) {
  const { failing, refuse } = refusing(projection)
  refuse(type)
  const shown = await liveOf(rig, failing)
  return { failing, shown, mended: () => refuse() }
}

test('an erasure that is done again for a pair takes nothing of other pairs that came after it', async () => {
  const { failing, shown, mended } = await refusingLive(relations, 'Buzzed')
  await shown(pair, buzzed(ann, bea))
  await shown(`member-${bea}`, erased)
  await shown(pairStream(cat, bea), blocked)
  mended()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: null, incomplete: false })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('words that come late go with their erased author, a room that came after the erasure stays', async () => {
  const { failing, shown, mended } = await refusingLive(conversations, 'Matched')
  const others = pairStream(cat, bea)
  await shown(pair, { type: 'Matched', members: [ann, bea], at: AT }, sent(bea, ann, 1), sent(ann, bea, 2))
  await shown(`member-${bea}`, erased)
  mended()
  await shown(others, { type: 'Matched', members: [cat, bea], at: AT })
  expect(await retried(rig, failing, pair, { part: 1 })).toMatchObject({ applied: 3, reason: null, incomplete: false })
  expect(await rig.wrongRows([conversations])).toEqual([])
})

test('a retry of one member whose erasure was applied late asks for a rebuild', async () => {
  const { failing, refuse } = refusing(notifications)
  refuse('NotificationRemoved', 'AccountErased')
  const shown = await liveOf(rig, failing)
  await shown(`inbox-${bea}`, removed)
  await shown(`member-${bea}`, erased)
  await shown(pair, buzzed(ann, bea))
  refuse('NotificationRemoved')
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 0, incomplete: true })
})

test('events that come late meet what had not ended when they came', async () => {
  const { failing, shown, mended } = await refusingLive(relations, 'Skipped')
  await shown(pair, skipped, likedAt(10))
  await shown(pairStream(ann, cat), likedAt(1_000, cat))
  mended()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null, incomplete: false })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('where a row has ended meanwhile that they may have met, a retry asks for a rebuild', async () => {
  const { failing, shown, mended } = await refusingLive(relations, 'Skipped')
  await shown(pair, skipped, likedAt(10))
  await shown(pairStream(ann, cat), likedAt(1_000, cat))
  mended()
  expect(await retried(rig, failing, pair, { part: 1 })).toMatchObject({ applied: 2, reason: null, incomplete: true })
})

const withdrawn = { type: 'BuzzWithdrawn', from: ann, to: bea, at: AT } as const
const blockedAt = (seconds: number) => ({ ...blocked, by: ann, at: after(seconds) })

test.each([1, 300])(
  'where a block made a row again that had ended by then, a retry in parts of %i asks for a rebuild',
  async (part) => {
    const { failing, shown, mended } = await refusingLive(relations, 'BuzzWithdrawn')
    await shown(pair, withdrawn, skipped, blockedAt(1_000))
    mended()
    expect(await retried(rig, failing, pair, { part })).toMatchObject({ applied: 3, reason: null, incomplete: true })
    expect(await rig.wrongRows([relations])).toHaveLength(1)
  },
)

test('where a block met a row that had ended, and that what waits would have kept, a retry asks for a rebuild', async () => {
  const { failing, shown, mended } = await refusingLive(relations, 'Buzzed')
  await shown(pair, skipped, likedAt(10), blockedAt(1_000))
  mended()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null, incomplete: true })
  expect(await rig.wrongRows([relations])).toHaveLength(1)
})

test('a block asks for nothing where nothing had ended by then', async () => {
  const { failing, shown, mended } = await refusingLive(relations, 'Buzzed')
  await shown(pair, skipped, likedAt(10), blockedAt(50))
  mended()
  expect(await retried(rig, failing, pair, { part: 1 })).toMatchObject({ applied: 2, reason: null, incomplete: false })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('an erasure that can be applied is, also behind an event of its key that still cannot', async () => {
  const { failing, refuse } = refusing(notifications)
  refuse('NotificationRemoved', 'AccountErased')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea))
  await shown(`inbox-${bea}`, removed)
  await shown(`member-${bea}`, erased)
  refuse('NotificationRemoved')
  const reason = expect.stringMatching(/^its handler failed/)
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 0, reason })
  expect((await rig.pool.query('select from read.notification')).rowCount).toBe(0)
  expect((await waiting(rig)).length).toBe(2)
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('a block that can be applied is, also behind an event of its pair that still cannot', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed', 'Blocked')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea), { ...blocked, by: ann })
  refuse('Buzzed')
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 0 })
  const asked = 'select blocked_at from read.relation where member = $1'
  expect((await rig.pool.query(asked, [ann])).rows).toEqual([{ blocked_at: AT }])
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 2, reason: null, incomplete: false })
  expect(await rig.wrongRows([relations])).toEqual([])
})
