import { EventStoreDBClient } from '@eventstore/db-client'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { MemberId, NotificationId } from '../../../domain/shared/ids.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { Beside, type BesideLog } from '../../../projections/engine/care/beside.ts'
import { histories } from '../../../projections/history/project.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { positionAt } from '../../support/recorded.ts'
import { AT, buzzed, type EngineRig, member, pairStream, startEngineRig } from '../engine-rig.ts'
import { liveOf, refusing, retried } from './retry-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
const pair = pairStream(ann, bea)
const [pairKey, inbox] = [pair.slice('pair-'.length), `inbox-${bea}`]
const LATER = new Date(AT.getTime() + 60_000)
const matched: DomainEvent = { type: 'Matched', members: [ann, bea], at: AT }
const readAll = (who: MemberId, upTo: Position, at = LATER) =>
  ({ type: 'AllNotificationsRead', member: who, upTo, notifications: null, at }) as const
/** What is removed is nobody's. */
const removed = (who: MemberId, name: string): DomainEvent =>
  ({ type: 'NotificationRemoved', member: who, notification: idFrom('none', name) as NotificationId, at: AT }) as const
const besideOf = (log: BesideLog, after: Position, most = 100) => new Beside(log, notifications, pairKey, after, most)
const revisionsIn = async (beside: Beside) => (await beside.read()).map(({ revision }) => revision)

function clientOf(rig: EngineRig): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(rig.connectionString)
  onTestFinished(() => client.dispose())
  return client
}

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('a retry ends well where a stream of a member is ended for ever, and asks for a rebuild', async () => {
  const { failing, refuse } = refusing(notifications)
  refuse('Buzzed')
  const shown = await liveOf(rig, failing)
  const at = await shown(pair, buzzed(ann, bea))
  await shown(inbox, readAll(bea, at))
  await clientOf(rig).tombstoneStream(inbox)
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: null, incomplete: true })
})

test('what came after a position is found whatever was cut off a stream before it', async () => {
  const positions: Position[] = []
  for (let number = 0; number < 6; number++) positions.push(await rig.append(inbox, removed(bea, `${number}`)))
  const client = clientOf(rig)
  for (const cut of [0, 2, 5]) {
    await client.setStreamMetadata(inbox, { truncateBefore: cut })
    for (const [revision, after] of [START, ...positions].entries()) {
      const left = [0, 1, 2, 3, 4, 5].filter((one) => one >= Math.max(cut, revision))
      expect(await revisionsIn(besideOf(rig.log, after))).toEqual(left)
    }
  }
})

test('what a stream that was deleted has since is found', async () => {
  const first = await rig.append(inbox, removed(bea, 'first'), removed(bea, 'second'))
  await clientOf(rig).deleteStream(inbox)
  const beside = besideOf(rig.log, first)
  expect(await revisionsIn(beside)).toEqual([])
  await rig.append(inbox, removed(bea, 'third'))
  expect(await revisionsIn(beside)).toEqual([2])
  expect(await revisionsIn(besideOf(rig.log, first))).toEqual([2])
})

test('the newest of all streams are kept, though streams are read side by side', async () => {
  const shown = await liveOf(rig, notifications)
  const first = await shown(inbox, removed(bea, 'first'))
  for (const name of ['second', 'third']) await shown(inbox, removed(bea, name))
  await shown(`inbox-${ann}`, removed(ann, 'last'))
  let isRead = () => {}
  const read = new Promise<void>((resolve) => {
    isRead = resolve
  })
  const log: BesideLog = {
    readLast: (stream) => rig.log.readLast(stream),
    async read(stream, ...more) {
      if (stream === inbox) await read
      const page = await rig.log.read(stream, ...more)
      if (stream === `inbox-${ann}` && more[2] !== 1) setImmediate(isRead)
      return page
    },
  }
  const beside = besideOf(log, first, 2)
  const kept = (await beside.read()).map(({ stream, revision }) => [stream, revision])
  expect(kept).toEqual([
    [inbox, 2],
    [`inbox-${ann}`, 0],
  ])
  expect(beside.incomplete).toBe(true)
})

test('where a member read meanwhile what a match in quarantine changes, the retry asks for a rebuild', async () => {
  const { failing, refuse } = refusing(notifications)
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(bea, ann), buzzed(ann, bea))
  refuse('Matched')
  const at = await shown(pair, matched)
  await shown(inbox, readAll(bea, at))
  refuse()
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: null, incomplete: true })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('a key of one member asks for a rebuild where pairs change the same rows', async () => {
  const { failing, refuse } = refusing(notifications)
  const shown = await liveOf(rig, failing)
  const at = await shown(pair, buzzed(bea, ann), buzzed(ann, bea))
  refuse('AllNotificationsRead')
  await shown(inbox, readAll(bea, at))
  await shown(pair, { ...matched, at: new Date(LATER.getTime() + 60_000) })
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 1, reason: null, incomplete: true })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('nothing is asked for where rows are written whole, of whichever key, nor where nothing came beside', async () => {
  const { failing, refuse } = refusing(histories)
  refuse('Buzzed', 'NotificationRemoved')
  const shown = await liveOf(rig, failing)
  await shown(pair, buzzed(ann, bea))
  await shown(inbox, removed(bea, 'first'))
  await shown(`inbox-${ann}`, readAll(ann, START))
  refuse()
  for (const key of [pair, bea])
    expect(await retried(rig, failing, key)).toMatchObject({ applied: 1, reason: null, incomplete: false })
  expect(await rig.wrongRows([histories])).toEqual([])
})

/** A stream of so many events of which some are gone; a page that begins where none is left may be empty, as may be one of a few. */
function streamWithHoles(gone: ReadonlySet<number>, length: number, skips: boolean): BesideLog {
  const all = Array.from({ length }, (_, revision) => ({
    id: uuidFrom(inbox, revision),
    type: 'NotificationRemoved',
    stream: inbox,
    revision,
    position: positionAt(2 * revision + 1),
  })) as unknown as StoredEvent[]
  const left = all.filter(({ revision }) => !gone.has(revision))
  return {
    readLast: async (stream) => (stream === inbox ? ((left.at(-1) as never) ?? null) : null),
    async read(stream, from = 0, _until, limit = length) {
      if (stream !== inbox) return []
      const asked = left.filter(({ revision }) => revision >= from)
      return skips || limit > 1 ? asked.slice(0, limit) : asked.filter(({ revision }) => revision < from + limit)
    },
  }
}

test('whatever is gone of a stream, exactly what came after a position is found', async () => {
  const streams = fc.record({
    length: fc.integer({ min: 0, max: 40 }),
    gone: fc.array(fc.nat(39)),
    after: fc.nat(90),
    skips: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(streams, async ({ length, gone, after, skips }) => {
      const log = streamWithHoles(new Set(gone), length, skips)
      const behind = (await log.read(inbox)).filter(({ position }) => position > positionAt(after))
      expect(await revisionsIn(besideOf(log, positionAt(after)))).toEqual(behind.map(({ revision }) => revision))
    }),
    { numRuns: 500 },
  )
})
