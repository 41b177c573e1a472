import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import type { Projection } from '../../../projections/projection.ts'
import { type Folded, foldOfLog } from '../../support/fold-of-log.ts'

const PAGE = 2_000

/** The log as far as it was read, each event decoded once: it is folded again after every kill. */
export class KnownLog {
  private readonly events: StoredEvent[] = []
  private readonly decoded = new Map<string, Awaited<ReturnType<Codec['decode']>>[number]>()

  constructor(
    private readonly log: Log,
    private readonly codec: Codec,
  ) {}

  async readOn(): Promise<void> {
    for (;;) {
      const page = await this.log.readAll(this.events.at(-1)?.position ?? START, PAGE)
      if (page.length === 0) return
      const decoded = await this.codec.decode(page)
      page.forEach(({ id }, at) => void this.decoded.set(id, decoded[at]!))
      this.events.push(...page)
    }
  }

  foldOf(projection: Projection, until: Position): Promise<Folded> {
    const events = this.events.filter(({ position }) => position <= until)
    const log: Pick<Log, 'readAll'> = {
      readAll: async (after, limit) => {
        const from = events.findIndex(({ position }) => position > after)
        return from < 0 ? [] : events.slice(from, from + limit)
      },
    }
    const decode = async (stored: readonly StoredEvent[]) => stored.map(({ id }) => this.decoded.get(id)!)
    return foldOfLog(log, { ...this.codec, decode }, [projection])
  }
}
