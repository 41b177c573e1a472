import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import { inboxDecider } from '../../../domain/inbox/decider.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { StorableEvent } from '../../../eventstore/events.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { GOLDEN_FOLDER } from '../../../server/tools/events/released.ts'
import { ann, bea } from '../../support/people.ts'
import { streamOf } from '../../support/recorded.ts'
import { inboxCommand, memberCommand, pairCommand, step } from './commands.ts'

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
  pair: () => lived(pairDecider, pairCommand),
  inbox: () => lived(inboxDecider, inboxCommand),
  member: () => lived(memberDecider, memberCommand),
}

async function record(category: string, codec: Codec): Promise<Recording> {
  const events = histories[category as keyof typeof histories]()
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
  initial: unknown
  evolve: (state: unknown, event: DomainEvent) => unknown
  decide: (command: unknown, state: unknown) => { ok: boolean; events?: readonly DomainEvent[] }
}

/** What comes of things that people try at random. */
function lived(decider: object, make: typeof pairCommand | typeof inboxCommand | typeof memberCommand): DomainEvent[] {
  const { initial, evolve, decide } = decider as Deciding & Folding as Deciding
  let state = initial
  return fc.sample(step, { numRuns: STEPS, seed: 20_260_101 }).flatMap((one, n) => {
    const decision = decide(make(one, n, [ann, bea]), state)
    const events = decision.ok ? (decision.events ?? []) : []
    state = events.reduce(evolve, state)
    return [...events]
  })
}
