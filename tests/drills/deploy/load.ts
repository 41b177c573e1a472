import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DomainEvent, type EventType, eventsByCategory } from '../../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { type Log, LogUnavailable } from '../../../eventstore/log.ts'
import { samples } from '../../support/samples.ts'
import { eventOf } from '../projector-load.ts'
import { poisonId } from './code.ts'

/** Three times as many as the keys that a process keeps. */
const MEMBERS = 1_500
/** Between two turns of a writer. */
export const PAUSE_MS = 120
const BURST = 4
const AT = new Date('2026-03-01T00:00:00Z')

/** The log, and what turns events into what it stores. */
export type Written = { readonly log: Log; readonly codec: Codec }

const memberOf = (number: number) => idFrom('deployed', number % MEMBERS) as MemberId

async function append({ log, codec }: Written, stream: string, last: number, events: DomainEvent[], ids: string[]) {
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
  const stored = await codec.encode(stream, events, ids, meta)
  // What got through is known by its ids.
  await answered(() => log.append(stream, last < 0 ? 'no_stream' : last, stored))
}

/** Asks again for as long as the log does not answer: comparing keeps this process from hearing it. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error
    }
  }
}

/** One of some writers: many members, one after the other, in pair and profile streams. Answers how many events it wrote. */
export async function writeAmongMany(
  to: Written,
  stopped: () => boolean,
  writer: number,
  pauseMs: number,
): Promise<number> {
  const revisions = new Map<string, number>()
  let [written, number] = [0, 0]
  const write = async (stream: string, events: DomainEvent[]) => {
    const last = revisions.get(stream) ?? -1
    const ids = events.map((_, at) => uuidFrom(stream, last + 1 + at))
    await append(to, stream, last, events, ids)
    revisions.set(stream, last + events.length)
    written += events.length
  }
  const wrote = new Set<string>()
  for (let turn = 0; !stopped(); turn++) {
    const [a, b] = [memberOf(2 * randomInt(MEMBERS / 2) + writer * 7), memberOf(randomInt(MEMBERS))]
    if (a === b) continue
    // A stream of its own for each writer, so that none loses a race.
    const pair = `pair-${pairIdOf(a, b)}-${writer}`
    const begun = wrote.has(pair)
    wrote.add(pair)
    const some = Array.from({ length: 1 + randomInt(BURST) }, () => eventOf(a, b, () => ++number))
    await write(pair, begun ? some : [{ type: 'Matched', members: [a, b], at: AT }, ...some])
    const own = `profile-${a}-${writer}`
    await write(own, [{ type: 'BioChanged', member: a, bio: `turn ${turn} of ${writer}`, at: AT }])
    await pause(pauseMs)
  }
  return written
}

/** Whose key goes as they pass. */
const ENDS: readonly EventType[] = ['AccountErased', 'ErasureCertified', 'EvidenceDestroyed']

/** Every type of event, each with the kind of streams that it stands in. */
export const kinds: readonly { category: string; type: EventType }[] = Object.entries(eventsByCategory).flatMap(
  ([category, definitions]) =>
    definitions.map(({ type }) => ({ category, type })).filter(({ type }) => !ENDS.includes(type)),
)

/** Of every type an event that the release cannot take, in a stream of its own, and a sound one behind it. */
export async function poisonEverywhere(to: Written, release: number): Promise<void> {
  for (const { category, type } of kinds) {
    const event = { type, ...samples[type] } as DomainEvent
    const stream = `${category}-${idFrom('poisoned', release, type)}`
    await append(to, stream, -1, [event, event], [poisonId(release, type), uuidFrom('sound', release, type)])
  }
}

/** Two events behind what is in the stream: one that the release cannot take, and a sound one. */
export async function poisonStream(to: Written, release: number, stream: string, events: [DomainEvent, DomainEvent]) {
  const last = (await to.log.read(stream)).at(-1)?.revision ?? -1
  await append(to, stream, last, events, [poisonId(release, stream), uuidFrom('sound', release, stream)])
}
