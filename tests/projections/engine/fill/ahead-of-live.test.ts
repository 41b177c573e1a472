import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DomainEvent } from '../../../../domain/all-events.ts'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { swapFilled } from '../../../../projections/engine/care/tables-by-hand.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import { type Projection, removeWhere } from '../../../../projections/projection.ts'
import { relations } from '../../../../projections/relations/project.ts'
import { card, cards } from '../../../support/toy-projections.ts'
import { AT, buzzed, type EngineRig, member, pairStream, rebuildDepsOf, startEngineRig } from '../../engine-rig.ts'
import { refusing } from '../retry-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const erasing: Projection = {
  ...cards,
  when: { ...cards.when, AccountErased: (event) => [removeWhere(card, { member: event.member })] },
}
const bio = (word: string): DomainEvent => ({ type: 'BioChanged', member: ann, bio: word, at: AT })

type Case = {
  readonly projection: Projection
  readonly stream: string
  /** Its events; the second one is poison to either version. */
  readonly events: readonly DomainEvent[]
  /** What goes ahead of it, in which stream. */
  readonly ahead: readonly [string, DomainEvent]
  /** How many rows show that it was applied. */
  readonly shows: string
}
const cases: readonly Case[] = [
  {
    projection: erasing,
    stream: `profile-${ann}`,
    events: [bio('Good'), bio('Odd')],
    ahead: [`member-${ann}`, { type: 'AccountErased', member: ann, at: AT }],
    shows: 'select 1 - count(*)::integer as rows from read.card',
  },
  {
    projection: relations,
    stream: pairStream(ann, bea),
    events: [buzzed(ann, bea), { type: 'Unmatched', by: ann, target: bea, at: AT }],
    ahead: [pairStream(ann, bea), { type: 'Blocked', by: bea, target: ann, at: AT }],
    shows: 'select count(blocked_at)::integer as rows from read.relation',
  },
]

/** The projection, which takes no events of these types and ids. */
function without(projection: Projection, version: number, ...typesAndIds: string[]): Projection {
  const { failing, refuse } = refusing({ ...projection, version })
  refuse(...typesAndIds)
  return failing
}

/** Feeds what is live to the log's end, and stops. */
async function feed(projection: Projection): Promise<void> {
  const projector = rig.project([projection])
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
}

test.each(cases)(
  'new tables without $ahead.1.type, which live applied meanwhile ahead of what it waits behind, are not swapped in',
  async ({ projection, stream, events, ahead, shows }) => {
    const old = without(projection, 1, uuidFrom(stream, 1))
    const live = () => feed(old)
    await rig.append(stream, ...events)
    await live()
    await rig.append(...ahead)
    const next = without(projection, 2, uuidFrom(stream, 1), ahead[1].type)
    const deps = rebuildDepsOf(rig)
    await rebuild(deps, next, { poison: 'as-live', swap: false })
    await live()
    const rows = async () => (await rig.pool.query(shows)).rows
    expect(await rows()).toEqual([{ rows: 1 }])
    await expect(swapFilled(deps, next)).rejects.toThrow('live of')
    expect(await rows()).toEqual([{ rows: 1 }])
  },
)

test('what goes ahead since a version is missing in live of an earlier one, where it waits, and keeps no newer tables', async () => {
  const stream = pairStream(ann, bea)
  await rig.append(stream, buzzed(ann, bea), { type: 'Unmatched', by: ann, target: bea, at: AT })
  await rig.append(stream, { type: 'Blocked', by: bea, target: ann, at: AT })
  const old = without({ ...relations, ahead: {} }, 1, uuidFrom(stream, 1))
  await feed(old)
  const next = without({ ...relations, ahead: { Blocked: 2 } }, 2, uuidFrom(stream, 1), 'Blocked')
  expect(await rebuild(rebuildDepsOf(rig), next, { poison: 'as-live' })).toMatchObject({ swapped: true })
})

test('of what goes ahead, live of an earlier version lacks only what a later one named first', async () => {
  const stream = pairStream(ann, bea)
  const between = { by: ann, target: bea, at: AT } as const
  const poison = uuidFrom(stream, 1)
  await rig.append(stream, buzzed(ann, bea), { type: 'SkipUndone', ...between })
  await rig.append(stream, { type: 'Blocked', ...between }, { type: 'Unmatched', ...between })
  const ahead = { Blocked: 1, Unmatched: 2 }
  await feed(without({ ...relations, ahead }, 1, poison))
  const fill = (version: number, type: string) =>
    rebuild(rebuildDepsOf(rig), without({ ...relations, ahead }, version, poison, type), { poison: 'as-live' })
  await expect(fill(2, 'Blocked')).rejects.toThrow(`Blocked ${uuidFrom(stream, 2)}`)
  expect(await fill(3, 'Unmatched')).toMatchObject({ swapped: true })
})
