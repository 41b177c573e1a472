import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventNamed } from '../../../domain/all-events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { RetryDeps } from '../../../projections/engine/care/again.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { relations } from '../../../projections/relations/project.ts'
import { lines, tallies } from '../../support/toy-projections.ts'
import { AT, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'
import { countInserts, liveOf, refuseRows, refusing, retried, waiting } from './retry-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId, MemberId]
const poisoned = pairStream(ann, bea)
/** Of the version that this code feeds. */
const NOTIFICATION = `p_notifications_v${notifications.version}.notification`
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => sent(ann, bea, from + index))

test('very many events of a key are applied in parts, and all of them', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 10))
  await mend()
  const most = await countInserts(rig, 'p_lines_v1.line')
  expect(await retried(rig, lines, poisoned, { part: 3 })).toMatchObject({ applied: 10, reason: null })
  expect(await most()).toBe(3)
  expect(await waiting(rig)).toEqual([])
  expect(await rig.wrongRows([lines])).toEqual([])
  await shown(poisoned, sent(ann, bea, 11))
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('others do not wait while a retry reads what waits, or decodes it', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  const others = pairStream(cat, dan)
  let number = 0
  const log: RetryDeps['log'] = {
    ...rig.log,
    read: async (stream, ...more) => {
      if (stream === poisoned) await shown(others, sent(cat, dan, ++number))
      return rig.log.read(stream, ...more)
    },
  }
  const codec: RetryDeps['codec'] = {
    ...rig.codec,
    decode: async (stored) => {
      if (stored.some(({ stream }) => stream === poisoned)) await shown(others, sent(cat, dan, ++number))
      return rig.codec.decode(stored)
    },
  }
  expect(await retried(rig, lines, poisoned, { log, codec, part: 2 })).toMatchObject({ applied: 4, reason: null })
  expect(number).toBe(4)
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a retry that ends between two parts is taken up by the next one, and no event is applied twice', async () => {
  const shown = await liveOf(rig, tallies)
  const mend = await refuseRows(rig, 'p_tallies_v1.tally', `new.member = '${ann}'`)
  await shown(poisoned, ...words(1, 7))
  await mend()
  const goOn = await refuseRows(rig, 'p_tallies_v1.tally', 'new.messages = 6', '57014')
  await expect(retried(rig, tallies, poisoned, { part: 3 })).rejects.toThrow('x')
  expect((await waiting(rig)).map(({ revision }) => revision)).toEqual([3, 4, 5, 6])
  await goOn()
  await shown(poisoned, sent(ann, bea, 8))
  expect(await retried(rig, tallies, poisoned, { part: 3 })).toMatchObject({ applied: 5, reason: null })
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('two retries at the same time apply each event once', async () => {
  const shown = await liveOf(rig, tallies)
  const mend = await refuseRows(rig, 'p_tallies_v1.tally', `new.member = '${ann}'`)
  await shown(poisoned, ...words(1, 12))
  await mend()
  const both = await Promise.all([
    retried(rig, tallies, poisoned, { part: 2 }),
    retried(rig, tallies, poisoned, { part: 3 }),
  ])
  expect(both.reduce((sum, { applied }) => sum + applied, 0)).toBe(12)
  expect(await waiting(rig)).toEqual([])
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('an event that is still poison stays with what is behind it, and names itself', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number in (1, 6)')
  await shown(poisoned, ...words(1, 9))
  expect(await retried(rig, lines, poisoned, { part: 4 })).toMatchObject({
    applied: 0,
    reason: expect.stringMatching(/refused/),
  })
  await mend()
  const still = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 6')
  expect(await retried(rig, lines, poisoned, { part: 4 })).toMatchObject({
    applied: 5,
    reason: expect.stringMatching(/refused/),
  })
  expect((await waiting(rig))[0]).toEqual({ revision: 5, reason: expect.stringMatching(/^Postgres refused/) })
  expect((await waiting(rig)).length).toBe(4)
  await still()
  expect(await retried(rig, lines, poisoned, { part: 4 })).toMatchObject({ applied: 4, reason: null })
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a block stands after each part, also of a retry that ends before it', async () => {
  const { failing, refuse } = refusing(relations)
  refuse('Buzzed')
  const shown = await liveOf(rig, failing)
  const blocked = { type: 'Blocked', by: ann, target: bea, at: AT } as const
  await shown(poisoned, buzzed(ann, bea), { type: 'Matched', members: [ann, bea], at: AT }, blocked)
  const rows = async () =>
    (await rig.pool.query('select member, liked_at, liked_me_at, matched_at, blocked_at from read.relation order by 1'))
      .rows
  const seen = await rows()
  refuse('Matched')
  expect(await retried(rig, failing, poisoned, { part: 1 })).toMatchObject({
    applied: 1,
    reason: expect.stringMatching(/handler/),
  })
  expect(await rows()).toEqual(seen)
  refuse()
  expect(await retried(rig, failing, poisoned, { part: 1 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('who is erased after a part was decoded is not in its rows', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  let erased = false
  const codec: RetryDeps['codec'] = {
    ...rig.codec,
    decode: async (stored) => {
      const decoded = await rig.codec.decode(stored)
      if (!stored.some(({ stream }) => stream === poisoned)) return decoded
      if (erased) throw new Error('stopped')
      erased = true
      await shown(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
      return decoded
    },
  }
  const left = async () => (await rig.pool.query('select from read.line')).rowCount
  await expect(retried(rig, lines, poisoned, { codec, part: 2 })).rejects.toThrow('stopped')
  expect([erased, await left(), (await waiting(rig)).length]).toEqual([true, 0, 2])
  expect(await retried(rig, lines, poisoned, { part: 2 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([lines])).toEqual([])
})

const readAll = (who: MemberId, upTo: string): EventNamed<'AllNotificationsRead'> =>
  ({ type: 'AllNotificationsRead', member: who, upTo, notifications: null, at: AT }) as never

test('a retry of a pair does again what its members did meanwhile, and a rebuild agrees', async () => {
  const shown = await liveOf(rig, notifications)
  const mend = await refuseRows(rig, NOTIFICATION, `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  const upTo = await rig.append(pairStream(cat, bea), buzzed(cat, bea))
  await shown(`inbox-${bea}`, readAll(bea, upTo))
  await shown(poisoned, { type: 'Matched', members: [bea, ann], at: AT })
  const [, last] = await rig.log.read(poisoned)
  await shown(`inbox-${bea}`, readAll(bea, last!.position))
  await mend()
  expect(await retried(rig, notifications, poisoned, { part: 1 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  expect(await rebuild(deps, notifications)).toMatchObject({ swapped: true, verdict: { same: true } })
})

test('what waits in quarantine itself is not done by the retry of another key', async () => {
  const { failing, refuse } = refusing(notifications)
  refuse('AllNotificationsRead')
  const shown = await liveOf(rig, failing)
  const mend = await refuseRows(rig, NOTIFICATION, `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  await shown(`inbox-${bea}`, readAll(bea, await rig.log.head()))
  await mend()
  expect(await retried(rig, failing, poisoned)).toMatchObject({ applied: 1, reason: null })
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ applied: 1, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('where members did more meanwhile than a part takes, it is reported', async () => {
  const shown = await liveOf(rig, notifications)
  const mend = await refuseRows(rig, NOTIFICATION, `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  const head = await rig.log.head()
  await shown(`inbox-${bea}`, readAll(bea, head), readAll(bea, head), readAll(bea, head))
  await mend()
  expect(await retried(rig, notifications, poisoned, { beside: 2 })).toMatchObject({ applied: 1, incomplete: true })
})

test('tables of another version are left to the release that feeds them', async () => {
  const shown = await liveOf(rig, lines)
  const mend = await refuseRows(rig, 'p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  const later = { ...lines, version: lines.version + 1 }
  const reason = expect.stringContaining(`this code has ${later.version}`)
  expect(await retried(rig, later, poisoned)).toMatchObject({ applied: 0, reason })
  expect(await retried(rig, lines, poisoned)).toMatchObject({ applied: 4, reason: null })
})
