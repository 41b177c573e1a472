import { randomUUID } from 'node:crypto'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { joined, memberId } from '../people.ts'
import type { World } from '../world.ts'

/** What begins a stream. */
export type Begun = readonly [stream: string, events: readonly DomainEvent[]]

/** Members who are in the log as if they had registered, with what `meet` states happened to each: faster than sign-ups. */
export async function addCrowd(
  world: World,
  names: readonly string[],
  meet: (one: MemberId, n: number) => readonly Begun[],
): Promise<void> {
  const add = async (name: string, n: number) => {
    const one = memberId(name)
    const [registered, started, ...pictures] = joined(name)
    await record(world, [`member-${one}`, [registered!]])
    await record(world, [`profile-${one}`, [started!]])
    await record(world, [`gallery-${one}`, pictures])
    for (const begun of meet(one, n)) await record(world, begun)
  }
  await Promise.all(names.map(add))
  await world.settled()
}

/** As if it had happened. */
export async function record({ core: { log, codec } }: World, [stream, events]: Begun): Promise<void> {
  const [first] = events
  const actor = first && 'by' in first ? first.by : 'system'
  const meta = { commandId: randomUUID(), correlationId: randomUUID(), causationId: randomUUID(), actor }
  const ids = events.map(() => randomUUID())
  await log.append(stream, 'no_stream', await codec.encode(stream, events, ids, meta))
}
