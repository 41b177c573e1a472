import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { Debts } from '../../../projections/engine/owed/pay.ts'
import { messageId } from '../../support/people.ts'
import { until } from '../../support/until.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, cat, dan] = ['Ann', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId]
const friends = Array.from({ length: 20 }, (_, index) => member(`friend ${index}`))
const last = friends.at(-1)!
const MESSAGES = `p_conversations_v${conversations.version}.message`
const ROOMS = `p_conversations_v${conversations.version}.conversation`
const [WORDS, PIECE] = [200, 5]
/** What each word takes as it goes: all of them many seconds; and each room: all of them one, in which events come. */
const WORD_MS = 100
const ROOM_MS = 50
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const matched = (other: MemberId): DomainEvent => ({ type: 'Matched', members: [ann, other], at: AT })
const left = async () =>
  (await rig.pool.query(`select from ${MESSAGES} where from_member = $1 and text is not null`, [ann])).rowCount!
const roomsOwed = async () =>
  (await rig.pool.query(`select from app.projection_owed where rows_of = 'conversation'`)).rowCount!

/** Ann has a room with each friend and has written to the first one. */
async function wroteAnn() {
  const projector = rig.project([conversations], { piece: PIECE })
  await projector.start()
  await Promise.all(friends.map((one) => rig.append(pairStream(ann, one), matched(one), sent(ann, one, 1))))
  const words = Array.from({ length: WORDS }, (_, index) => sent(ann, friends[0]!, index + 2))
  const wrote = await rig.append(pairStream(ann, friends[0]!), ...words)
  expect(await projector.waitFor(wrote, undefined, 20_000)).toBe(true)
  return projector
}

/** Then she is erased. */
async function erasedAnn() {
  const projector = await wroteAnn()
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(tg_argv[0]::numeric / 1000); return new; end $$`)
  await rig.pool.query(
    `create trigger slow before update on ${MESSAGES} for each row execute function slow(${WORD_MS})`,
  )
  await rig.pool.query(`create trigger slow before update on ${ROOMS} for each row execute function slow(${ROOM_MS})`)
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  return projector
}

/** What comes behind the event shows although nearly all words stand; in the end rows are what the log gives. */
async function othersDoNotWait(projector: Awaited<ReturnType<typeof erasedAnn>>, event: DomainEvent) {
  await rig.append(pairStream(ann, last), event)
  const message = await rig.append(pairStream(cat, dan), sent(cat, dan, 1))
  expect(await projector.waitFor(message, undefined, 10_000)).toBe(true)
  expect(await left()).toBeGreaterThan(WORDS / 2)
  const owed = await roomsOwed()
  await rig.pool.query('drop function slow cascade')
  await until('nothing is owed', async () => (await rig.pool.query('select from app.projection_owed')).rowCount === 0)
  expect(await left()).toBe(0)
  expect(await rig.wrongRows([conversations])).toEqual([])
  return owed
}

test('who reads a room that an erasure has yet to mark makes nobody wait, and has the room as it will be', async () => {
  const projector = await erasedAnn()
  const read = { type: 'MessagesRead', by: last, other: ann, upTo: messageId('m1'), number: 1, at: AT } as const
  expect(await othersDoNotWait(projector, read)).toBeGreaterThan(0)
})

test('who leaves a room that an erasure has yet to mark makes nobody wait', async () => {
  const projector = await erasedAnn()
  expect(await othersDoNotWait(projector, { type: 'Unmatched', by: last, target: ann, at: AT })).toBeGreaterThan(0)
})

test('what others have paid changes no row that came after it', async () => {
  await (await wroteAnn()).stop()
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  const read = { type: 'MessagesRead', by: last, other: ann, upTo: messageId('m1'), number: 1, at: AT } as const
  await rig.append(pairStream(ann, last), read)
  const [target] = (await listTargets(rig.pool, 'conversations')).filter(({ state }) => state === 'live')
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: conversations, piece: PIECE }
  const live = await BatchProcessor.of(deps, target!, { poison: 'quarantined', owes: true })
  await live.take(await rig.log.read(`member-${ann}`), target!.logId)
  expect(await live.payPiece()).toBe(true)
  await new Debts(deps, () => live.target).payAll()
  // As a retry of a key does, which moves no checkpoint.
  const room = `${ROOMS} where member = '${last}' and other = '${ann}'`
  await rig.pool.query(`update ${room.replace(' where', ' set open = true, gone = false where')}`)
  await live.take(await rig.log.read(pairStream(ann, last), 2), target!.logId)
  const { rows } = await rig.pool.query(`select open, gone, read_up_to from ${room}`)
  expect(rows).toEqual([{ open: true, gone: false, read_up_to: 1 }])
})

test('a row that an erasure would still change as it is written waits for rows of its own table alone', async () => {
  const projector = await erasedAnn()
  expect(await othersDoNotWait(projector, matched(last))).toBe(0)
})
