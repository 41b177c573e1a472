import type { DomainEvent } from '../../domain/all-events.ts'
import { type Recorded, START } from '../../domain/shared/recorded.ts'
import type { Codec } from '../../eventstore/codec.ts'
import type { Log } from '../../eventstore/log.ts'

const PAGE = 2_000

/** Every event of the log so far, in log order. */
export async function* eventsOf(log: Pick<Log, 'readAll'>, codec: Codec): AsyncGenerator<Recorded<DomainEvent>> {
  for (let after = START; ; ) {
    const stored = await log.readAll(after, PAGE)
    yield* await codec.decode(stored)
    const last = stored.at(-1)
    if (!last) return
    after = last.position
  }
}
