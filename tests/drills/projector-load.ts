import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Codec } from '../../eventstore/codec.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import type { Log } from '../../eventstore/log.ts'
import { allProjections } from '../../projections/all-projections.ts'
import type { Projection } from '../../projections/projection.ts'
import { messageId } from '../support/people.ts'
import { lines, tallies } from '../support/toy-projections.ts'

/** Two whose rows depend on the order of the events, and the product's own. */
export const drilled: readonly Projection[] = [tallies, lines, ...allProjections]

const MEMBERS = 24
const BURST = 8
/** Between the appends of a writer, so that the projectors share the machine. */
const PAUSE_MS = 30
const AT = new Date('2026-03-01T00:00:00Z')
const memberOf = (number: number) => idFrom('drill', number) as MemberId

/**
 * One writer on one pair: matched, then buzzes, messages and an unmatch now and then. Answers how many events it wrote.
 */
export async function writeUntil(stopped: () => boolean, log: Log, codec: Codec, pair: number): Promise<number> {
  const [a, b] = [memberOf(pair % MEMBERS), memberOf((pair + 1 + Math.floor(pair / MEMBERS)) % MEMBERS)]
  const stream = `pair-${pairIdOf(a, b)}`
  let revision = -1
  let number = 0
  const burst = (): DomainEvent[] => {
    if (revision < 0) return [{ type: 'Matched', members: [a, b], at: AT }]
    return Array.from({ length: 1 + randomInt(BURST) }, () => eventOf(a, b, () => ++number))
  }
  while (!stopped()) {
    const events = burst()
    const ids = events.map((_, index) => uuidFrom(stream, revision + index))
    const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: a }
    const stored = await codec.encode(stream, events, ids, meta)
    await log.append(stream, revision < 0 ? 'no_stream' : revision, stored)
    revision += events.length
    await pause(PAUSE_MS)
  }
  return revision + 1
}

export function eventOf(a: MemberId, b: MemberId, next: () => number): DomainEvent {
  const [from, to] = randomInt(2) ? [a, b] : [b, a]
  const dice = randomInt(100)
  if (dice < 20) return { type: 'Buzzed', from, to, via: 'discover', at: AT }
  if (dice < 22) return { type: 'Unmatched', by: from, target: to, at: AT }
  if (dice < 24) return { type: 'Matched', members: [from, to], at: AT }
  const number = next()
  return {
    type: 'MessageSent',
    message: messageId(`m-${number}`),
    number,
    from,
    to,
    text: `n ${number}`,
    media: null,
    at: AT,
  }
}
