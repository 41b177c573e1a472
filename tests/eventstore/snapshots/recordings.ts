import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type DomainEvent, eventsByCategory } from '../../../domain/all-events.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import { inboxDecider } from '../../../domain/inbox/decider.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { StorableEvent } from '../../../eventstore/events.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { GOLDEN_FOLDER } from '../../../server/tools/events/released.ts'
import { ann, bea } from '../../support/people.ts'
import { streamOf } from '../../support/recorded.ts'
import { inboxCommand, memberCommand, memberEnd, pairCommand, type Step, step } from './commands.ts'

/** A stream as it was stored once. */
export type Recording = { readonly stream: string; readonly events: readonly StorableEvent[] }
/** `all`: a hash of the packed states after each event. */
type Folded = { readonly last: unknown; readonly all: string }
/**
 * With what each version of the fold made of it. A version that is there never changes. A new type of event wants another
 * recording: remove the file, and have it made anew.
 */
type Golden = Recording & { readonly states: Readonly<Record<number, Folded>> }

const STEPS = 250
const STEPS_AT_MOST = 10_000
const SEED = 20_260_101
const pathOf = (category: string) => join(GOLDEN_FOLDER, `fold-${category}.json`)
const read = (category: string) => JSON.parse(readFileSync(pathOf(category), 'utf8')) as Golden

/** `UPDATE_GOLDEN=1` records what is missing: a stream, or what this version of the fold makes of it. */
export async function foldGolden(
  category: string,
  codec?: Codec,
  fold?: (recording: Recording) => Folded,
  version = 1,
): Promise<Golden> {
  if (process.env.UPDATE_GOLDEN !== '1' || !codec || !fold) return read(category)
  const known = existsSync(pathOf(category)) ? read(category) : { ...(await record(category, codec)), states: {} }
  const states = { [version]: fold(known), ...known.states }
  writeFileSync(pathOf(category), `${JSON.stringify({ ...known, states }, null, 2)}\n`)
  return { ...known, states }
}

const histories = {
  pair: (seed: number) => lived(pairDecider, { seed, make: pairCommand }),
  inbox: (seed: number) => lived(inboxDecider, { seed, make: inboxCommand }),
  member: (seed: number) => lived(memberDecider, { seed, make: memberCommand, end: (n) => memberEnd(n, ann) }),
}

/** The history that a new recording has. */
export const newHistory = (category: string, seed = SEED): DomainEvent[] =>
  histories[category as keyof typeof histories](seed)

async function record(category: string, codec: Codec): Promise<Recording> {
  const events = newHistory(category)
  const stream = streamOf(events[0]!)
  const stored = events.map(async (event, at) => {
    const commandId = uuidFrom('recorded', category, at)
    const meta = { commandId, correlationId: commandId, causationId: commandId, actor: ann }
    return (await codec.encode(stream, [event], [uuidFrom(commandId, stream, 0)], meta))[0]!
  })
  return { stream, events: await Promise.all(stored) }
}

type Folding = { initial: never; evolve: never; decide: never }
type Deciding = {
  category: string
  initial: unknown
  evolve: (state: unknown, event: DomainEvent) => unknown
  decide: (command: unknown, state: unknown) => { ok: boolean; events?: readonly DomainEvent[] }
}
type Life = {
  readonly seed: number
  readonly make: (one: Step, n: number, members: readonly [MemberId, MemberId]) => object
  /** What comes last of all. */
  readonly end?: (n: number) => readonly object[]
}

/**
 * What comes of things that people try at random, and of the end: so long that each type of event is there, whatever the
 * seed and the number of commands make likely.
 */
function lived(given: object, { seed, make, end = () => [] }: Life): DomainEvent[] {
  const decider = given as Deciding & Folding as Deciding
  const events: DomainEvent[] = []
  let state = decider.initial
  let missing: readonly string[] = []
  for (const [n, one] of fc.sample(step, { numRuns: STEPS_AT_MOST, seed }).entries()) {
    if (n >= STEPS) {
      const whole = [...events, ...tried(decider, end(n), state)]
      missing = typesOf(decider).filter((type) => !whole.some((event) => event.type === type))
      if (missing.length === 0) return whole
    }
    const made = tried(decider, [make(one, n, [ann, bea])], state)
    state = made.reduce(decider.evolve, state)
    events.push(...made)
  }
  throw new Error(`No command in tests/eventstore/snapshots/commands.ts leads to ${missing.join(', ')}.`)
}

/** The events of those that are not refused, one after the other. */
function tried({ decide, evolve }: Deciding, commands: readonly object[], from: unknown): DomainEvent[] {
  let state = from
  return commands.flatMap((command) => {
    const decision = decide(command, state)
    const events = decision.ok ? (decision.events ?? []) : []
    state = events.reduce(evolve, state)
    return [...events]
  })
}

const typesOf = ({ category }: Deciding): readonly string[] =>
  eventsByCategory[category as keyof typeof eventsByCategory].map(({ type }) => type)
