import { randomUUID } from 'node:crypto'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { type StoredEvent, TOMBSTONE } from '../records.ts'
import type { StreamBell } from '../stream-bells.ts'
import { streamDeleted } from './errors.ts'
import { pages } from './pages.ts'
import type { Reading } from './reading.ts'
import { numberOf, streamNameOf } from './requests.ts'
import { caughtUpFrame, confirmationFrame, fellBehindFrame } from './wire.ts'

const STEP_EVENTS = 256

/** Follows one stream from after a revision, for ever: by revision from the storage, and live from memory. */
export async function subscribeToStream(reading: Reading, options: ReadReq.Options.StreamOptions): Promise<void> {
  const { log, outlet } = reading
  const stream = streamNameOf(options.getStreamIdentifier())
  const { bell, letGo } = log.tail.followStream(stream)
  try {
    await outlet.send(confirmationFrame(randomUUID()))
    const { last, deleted } = await log.visible(stream)
    if (deleted) throw streamDeleted(stream)
    const after = options.hasStart() ? -1 : options.hasEnd() ? last : numberOf(options.getRevision())
    const follower = new StreamFollower(reading, stream, bell, after)
    if (!options.hasEnd()) await follower.catchUp()
    await follower.live()
  } finally {
    letGo()
  }
}

/** One follower, who has everything up to `revision`. */
class StreamFollower {
  constructor(
    private readonly reading: Reading,
    private readonly stream: string,
    private readonly bell: StreamBell,
    private revision: number,
  ) {}

  /** Hands over what the storage has and a reader may see; `begin` comes before the first of it. */
  async catchUp(begin: () => Promise<void> | undefined = () => undefined): Promise<boolean> {
    const { log } = this.reading
    // All that it has rung for is in the storage.
    this.bell.look()
    const { first, since } = await log.visible(this.stream)
    const from = Math.max(this.revision + 1, first)
    const fetch = (at: number, limit: number) =>
      log.storage.readStream(this.stream, { from: at, backwards: false, limit })
    const range = { from, backwards: false, most: Number.POSITIVE_INFINITY, key: 'revision' } as const
    let begun = false
    for await (const events of pages(fetch, range)) {
      if (events.length && !begun) await begin()
      begun ||= events.length > 0
      for (const event of events) if (event.created >= since || event.revision === TOMBSTONE) await this.take(event)
    }
    return begun
  }

  async live(): Promise<never> {
    const { outlet } = this.reading
    await outlet.send(caughtUpFrame)
    for (;;) {
      await outlet.until((signal) => this.bell.rung(signal))
      const position = this.bell.look()
      if (position !== undefined && (await this.fromMemory(position))) continue
      if (await this.catchUp(() => outlet.send(fellBehindFrame))) await outlet.send(caughtUpFrame)
    }
  }

  /** Hands over the stream's events from a position on; false where memory does not reach back so far. */
  private async fromMemory(position: number): Promise<boolean> {
    const { tail } = this.reading.log
    for (let at = position; at <= tail.last; ) {
      const events = tail.after(at - 1, STEP_EVENTS)
      if (!events) return false
      for (const event of events) if (event.stream === this.stream) await this.take(event)
      at = (events.at(-1)?.position ?? tail.last) + 1
    }
    return true
  }

  private async take(event: StoredEvent): Promise<void> {
    if (event.revision <= this.revision) return
    this.revision = event.revision
    const waiting = this.reading.outlet.send(await this.reading.frame(event))
    if (waiting) await waiting
    if (event.revision === TOMBSTONE) throw streamDeleted(this.stream)
  }
}
