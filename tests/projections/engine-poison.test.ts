import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventNamed, RecordedEvent } from '../../domain/all-events.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { findQuarantined } from '../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../projections/engine/care/retry.ts'
import { rebuild } from '../../projections/engine/rebuild.ts'
import { type Change, fold, type Projection, patch, type Table } from '../../projections/projection.ts'
import { relations } from '../../projections/relations/project.ts'
import { foldOfLog } from '../support/fold-of-log.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { AT, appendLoad, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const poisoned = pairStream(ann, bea)
const healthy = pairStream(ann, cleo)
const toys = [tallies, lines]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const quarantined = async (name: string) =>
  (
    await rig.pool.query(
      'select stream, revision::integer, type, reason from app.quarantine where name = $1 order by position',
      [name],
    )
  ).rows

function notThirteen(event: RecordedEvent<'MessageSent'>): readonly Change[] {
  if (event.number === 13) throw new Error(`no room for ${event.text}`)
  return lines.when.MessageSent!(event)
}
const strictLines: Projection = { ...lines, when: { ...lines.when, MessageSent: notThirteen } }

/** An event whose text Postgres does not take. */
const unwritable: EventNamed<'MessageSent'> = { ...sent(ann, bea, 1), text: 'a\u0000secret' }

test('a poisonous event is quarantined with the later ones of its stream, and everything else continues', async () => {
  const projector = rig.project(toys)
  await projector.start()
  await rig.append(poisoned, buzzed(ann, bea), unwritable, sent(ann, bea, 2), sent(bea, ann, 3))
  await rig.append(healthy, sent(ann, cleo, 1))
  await appendLoad(rig, 3)
  const position = await rig.append(poisoned, sent(ann, bea, 4))
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect(await quarantined('lines')).toMatchObject([
    { stream: poisoned, revision: 1, reason: expect.stringMatching(/^Postgres refused the row: 22/) },
    { revision: 2, reason: `waits behind ${uuidFrom(poisoned, 1)}` },
    { revision: 3 },
    { revision: 4 },
  ])
  expect(await quarantined('tallies')).toEqual([])
  expect(await rig.wrongRows([tallies])).toEqual([])
  const { rows } = await rig.pool.query('select room from read.line where room = any($1)', [[healthy, poisoned]])
  expect(rows).toEqual([{ room: healthy }])
  expect(projector.status().map(({ name, quarantined }) => [name, quarantined])).toEqual([
    ['tallies', 0],
    ['lines', 4],
  ])
  expect(JSON.stringify([rig.reports, await quarantined('lines')])).not.toContain('secret')
})

test('an event whose handler throws, or whose form is unknown, is poison too', async () => {
  const projector = rig.project([strictLines])
  await projector.start()
  await rig.append(poisoned, sent(ann, bea, 12), sent(ann, bea, 13), sent(ann, bea, 14))
  const broken = { id: uuidFrom('broken'), type: 'MessageSent', data: { odd: 'secret' }, metadata: { schema: 1 } }
  await rig.log.append('pair-odd', 'no_stream', [broken])
  const position = await rig.append(healthy, sent(ann, cleo, 1))
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  const reasons = (await quarantined('lines')).map(({ reason }) => reason)
  expect(reasons).toEqual([
    expect.stringMatching(/^its handler failed: Error at engine-poison\.test\.ts:\d+$/),
    expect.stringMatching(/^waits behind/),
    expect.stringMatching(/its fields do not fit/),
  ])
  const { rows } = await rig.pool.query('select number from read.line order by number')
  expect(rows.map(({ number }) => number)).toEqual([1, 12])
})

test('a block stands though an event before it cannot be applied, and after the retry too', async () => {
  let refused = true
  const failing: Projection = {
    ...relations,
    when: {
      ...relations.when,
      Matched: (event) => {
        if (refused) throw new Error('not yet')
        return relations.when.Matched!(event)
      },
    },
  }
  const projector = rig.project([failing])
  await projector.start()
  const blocked = { type: 'Blocked', by: ann, target: bea, at: AT } as const
  const position = await rig.append(
    poisoned,
    buzzed(ann, bea),
    { type: 'Matched', members: [ann, bea], at: AT },
    blocked,
  )
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  const rows = async () =>
    (await rig.pool.query('select member, blocked_at, blocked_me_at, matched_at from read.relation order by member'))
      .rows
  const seen = await rows()
  expect(seen.find(({ member }) => member === ann)).toMatchObject({ blocked_at: AT, matched_at: null })
  expect(seen.find(({ member }) => member === bea)).toMatchObject({ blocked_me_at: AT, matched_at: null })
  refused = false
  const [found] = await findQuarantined(rig, poisoned)
  expect(await retryQuarantined(rig, failing, found!)).toMatchObject({ reason: null })
  expect(await rows()).toEqual(seen)
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('what a retry applies of somebody who was erased meanwhile is gone again', async () => {
  let refused = true
  const sometimes: Projection = {
    ...lines,
    when: {
      ...lines.when,
      MessageSent: (event) => {
        if (refused && event.number === 1) throw new Error('not yet')
        return lines.when.MessageSent!(event)
      },
    },
  }
  const projector = rig.project([sometimes])
  await projector.start()
  await rig.append(poisoned, sent(ann, bea, 1), sent(ann, bea, 2), sent(bea, ann, 3))
  const erased = await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  expect(await projector.waitFor(erased, undefined, 10_000)).toBe(true)
  refused = false
  const [found] = await findQuarantined(rig, poisoned)
  expect(await retryQuarantined(rig, sometimes, found!)).toMatchObject({ applied: 3, reason: null })
  const { rows } = await rig.pool.query('select from_member from read.line')
  expect(rows).toEqual([{ from_member: bea }])
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a restarted projector still holds back the streams in quarantine', async () => {
  const first = rig.project([lines])
  await first.start()
  await first.waitFor(await rig.append(poisoned, unwritable), undefined, 10_000)
  await first.stop()
  const second = rig.project([lines])
  await second.start()
  await second.waitFor(await rig.append(poisoned, sent(ann, bea, 2)), undefined, 10_000)
  expect((await quarantined('lines')).map(({ revision }) => revision)).toEqual([0, 1])
})

test('a lost database is no poison: the projector waits for it and continues', async () => {
  const projector = rig.project([tallies])
  await projector.start()
  await rig.pool.query('alter table app.projection_checkpoint rename to projection_away')
  await appendLoad(rig, 2)
  await until('the projector complains', () => projector.status()[0]!.error !== null)
  await rig.pool.query('alter table app.projection_away rename to projection_checkpoint')
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect(projector.status()[0]).toMatchObject({ error: null, quarantined: 0 })
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a rebuild is strict: it names the event, stream and revision, and readers keep what they had', async () => {
  const projector = rig.project([lines])
  await projector.start()
  await rig.append(healthy, sent(ann, cleo, 1))
  await projector.waitFor(await rig.append(poisoned, sent(ann, bea, 1), unwritable), undefined, 10_000)
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await expect(rebuild(deps, lines)).rejects.toThrow(
    `lines: MessageSent ${uuidFrom(poisoned, 1)} (${poisoned}@1): Postgres refused the row: 22`,
  )
  expect((await rig.pool.query('select * from read.line')).rows).toHaveLength(2)
  expect((await foldOfLog(log, codec, [lines])).get('line')?.size).toBe(2)
})

type Card = { id: string; bio: string; reset: boolean }
const card: Table<Card> = {
  name: 'card',
  columns: { id: 'text not null', bio: 'text not null', reset: 'boolean not null' },
  key: ['id'],
  indexes: [],
}
const cards: Projection = {
  name: 'cards',
  version: 1,
  tables: [card],
  when: {
    BioChanged: ({ member: id, bio }) => [fold(card, { id }, () => ({ id, bio: valueOr(bio, ''), reset: false }))],
    PasswordChanged: ({ member: id }) => [patch(card, { id }, (row) => ({ ...row, reset: true }))],
  },
}
const fussyCards: Projection = {
  ...cards,
  when: {
    ...cards.when,
    BioChanged: (event) => {
      if (event.member === ann) throw new Error('no')
      return cards.when.BioChanged!(event)
    },
  },
}

test('events of a member wait behind a poisonous one in whichever of their streams they are, and a retry has them in order', async () => {
  const projector = rig.project([fussyCards])
  await projector.start()
  await rig.append(`profile-${ann}`, { type: 'BioChanged', member: ann, bio: 'Odd', at: AT })
  await rig.append(`member-${ann}`, { type: 'PasswordChanged', member: ann, how: 'reset', at: AT })
  const position = await rig.append(`profile-${bea}`, { type: 'BioChanged', member: bea, bio: 'Fine', at: AT })
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect((await quarantined('cards')).map(({ stream }) => stream)).toEqual([`profile-${ann}`, `member-${ann}`])
  const [found] = await findQuarantined(rig, `member-${ann}`)
  expect(found).toMatchObject({ key: ann, events: [{ stored: { type: 'BioChanged' } }, {}] })
  expect(await retryQuarantined(rig, cards, found!)).toMatchObject({ applied: 2, reason: null })
  expect((await rig.pool.query('select * from read.card order by bio')).rows).toEqual([
    { id: bea, bio: 'Fine', reset: false },
    { id: ann, bio: 'Odd', reset: true },
  ])
})

test('a read model that would quarantine too much stops, and takes up where it was once it is mended', async () => {
  const others = ['Dan', 'Eve', 'Fay'].map(member) as never[]
  const broken: Projection = {
    ...lines,
    when: {
      ...lines.when,
      MessageSent: () => {
        throw new Error('no room')
      },
    },
  }
  const projector = rig.project([broken], { keysMost: 2 })
  await projector.start()
  for (const other of others) await rig.append(pairStream(ann, other), sent(ann, other, 1))
  await until('it has stopped', () => projector.status()[0]!.error?.startsWith('2 members or pairs are in quarantine'))
  expect(await quarantined('lines')).toHaveLength(2)
  await projector.stop()
  const mended = rig.project([lines], { keysMost: 2 })
  await mended.start()
  expect(await mended.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect((await rig.pool.query('select room from read.line')).rows).toEqual([{ room: pairStream(ann, others[2]!) }])
})
