import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { allDeciders } from '../../../domain/all-deciders.ts'
import { type allEvents, type DomainEvent, eventsByCategory } from '../../../domain/all-events.ts'
import type { Decider, SnapshotForm } from '../../../domain/shared/decider.ts'
import { isErased, subjectFieldOf } from '../../../domain/shared/personal.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { goldenKeys } from '../../support/golden.ts'
import { T0 } from '../../support/people.ts'
import { positionAt } from '../../support/recorded.ts'
import { samples } from '../../support/samples.ts'
import { foldGolden, newHistory, type Recording } from './recordings.ts'

type Any = Pick<
  Decider<never, DomainEvent, unknown, string>,
  'category' | 'initial' | 'evolve' | 'ignores' | 'impersonal' | 'snapshot'
>
const deciders = allDeciders as unknown as readonly Any[]

const typesOf = ({ category }: Any): readonly (typeof allEvents)[number][] =>
  eventsByCategory[category as keyof typeof eventsByCategory]
const sampleOf = (type: DomainEvent['type']) => ({ type, ...samples[type] }) as DomainEvent
/** One of each event of the decider's streams, twice, so that each comes after each. */
const historyOf = (decider: Any) => [...typesOf(decider), ...typesOf(decider)].map(({ type }) => sampleOf(type))

/** The event once the subjects of its personal fields are erased. */
function erased(event: DomainEvent): DomainEvent {
  const { shape } = deciders.flatMap(typesOf).find(({ type }) => type === event.type)!.latest
  const fields = Object.entries(event).map(([name, value]) => {
    const schema = (shape as Record<string, object>)[name]
    return [name, schema && subjectFieldOf(schema) ? { erased: true } : value]
  })
  return Object.fromEntries(fields) as DomainEvent
}

/** Every state that the history leads through. */
function statesOf({ initial, evolve }: Any, history: readonly DomainEvent[]): unknown[] {
  const states = [initial]
  for (const event of history) states.push(evolve(states[states.length - 1], event))
  return states
}

test.each(deciders)('$category: what is declared impersonal folds to the same from erased events', (decider) => {
  const history = historyOf(decider)
  const [own, clear] = [statesOf(decider, history), statesOf(decider, history.map(erased))]
  if (decider.impersonal) expect(clear).toEqual(own)
  else expect(clear).not.toEqual(own)
})

test('the samples have personal fields, which an erasure takes', () => {
  const fields = deciders.flatMap(historyOf).flatMap((event) => Object.values(erased(event)))
  expect(fields.filter(isErased).length).toBeGreaterThan(30)
})

test.each(deciders)('$category: an ignored event changes no state, and is one of its events', (decider) => {
  const known = typesOf(decider).map(({ type }) => type as string)
  for (const type of decider.ignores ?? []) {
    expect(known).toContain(type)
    const event = sampleOf(type as DomainEvent['type'])
    for (const state of statesOf(decider, historyOf(decider))) expect(decider.evolve(state, event)).toEqual(state)
  }
})

test('only impersonal deciders have snapshots', () => {
  const personal = deciders.filter(({ snapshot, impersonal }) => snapshot && !impersonal)
  expect(personal.map(({ category }) => category)).toEqual([])
})

const codec = createCodec(goldenKeys())
const stream = ({ stream, events }: Recording) =>
  events.map((event, revision) => ({ ...event, stream, revision, position: positionAt(revision + 1), recordedAt: T0 }))
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

type Snapshotting = Any & { readonly snapshot: SnapshotForm<unknown> }
const snapshotting = deciders.filter((decider): decider is Snapshotting => decider.snapshot !== undefined)

function foldedBy({ evolve, initial, snapshot }: Snapshotting, events: readonly DomainEvent[]) {
  let state = initial
  const hash = createHash('sha256')
  for (const event of events) {
    state = evolve(state, event)
    hash.update(JSON.stringify(snapshot.pack(state)))
  }
  return { last: asJson(snapshot.pack(state)), all: hash.digest('hex') }
}

test.each(snapshotting)('$category: a fold that changed has a version of its own', async (decider) => {
  const { category, snapshot } = decider
  const fold = (recording: Recording) => foldedBy(decider, codec.decodeClear(stream(recording)))
  const golden = await foldGolden(category, codec, fold, snapshot.version)
  // Raise `version` in the decider's snapshot form, and run with UPDATE_GOLDEN=1, where these differ.
  expect(foldedBy(decider, await codec.decode(stream(golden)))).toEqual(golden.states[snapshot.version])
  expect(new Set(golden.events.map(({ type }) => type))).toEqual(new Set(typesOf(decider).map(({ type }) => type)))
})

test.each(snapshotting)(
  '$category: a recording that is made anew has each type of event, whatever the seed',
  (decider) => {
    for (const seed of [20_260_101, 1, 2, 3, 4])
      expect(new Set(newHistory(decider.category, seed).map(({ type }) => type))).toEqual(
        new Set(typesOf(decider).map(({ type }) => type)),
      )
  },
)

test.each(snapshotting)('$category: a packed state comes back as it was, and goes on to the same', async (decider) => {
  const { evolve, initial, snapshot } = decider
  const golden = await foldGolden(decider.category)
  const events = await codec.decode(stream(golden))
  const states = statesOf(decider, events)
  for (const [at, state] of states.entries()) {
    const back = snapshot.unpack(asJson(snapshot.pack(state)))
    expect(back).toEqual(state)
    if (at % 10 === 0) expect(events.slice(at).reduce(evolve, back)).toEqual(states[states.length - 1])
  }
  expect(() => snapshot.unpack({})).toThrow()
  expect(initial).toEqual(states[0])
})

test.each(snapshotting)('$category: a packed state has no word that somebody wrote', async (decider) => {
  const golden = await foldGolden(decider.category)
  const events = await codec.decode(stream(golden))
  const packed = JSON.stringify(decider.snapshot.pack(events.reduce(decider.evolve, decider.initial)))
  expect(packed).not.toMatch(/canary/i)
  if (decider.category !== 'inbox') expect(JSON.stringify(events)).toMatch(/canary/)
})
