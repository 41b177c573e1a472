import { randomUUID } from 'node:crypto'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { StoredEvent } from '../records.ts'
import type { Reading } from './reading.ts'
import { numberOf } from './requests.ts'
import { caughtUpFrame, checkpointFrame, confirmationFrame, fellBehindFrame } from './wire.ts'

const STEP_EVENTS = 256

/** Follows the whole log from after a position, with checkpoints where a filter hides events. */
export async function subscribeToAll(reading: Reading, options: ReadReq.Options.AllOptions | undefined): Promise<void> {
  const { log, outlet, frame, filter } = reading
  const end = log.tail.last
  const position = numberOf(options?.getPosition()?.getCommitPosition() ?? '0')
  const after = options?.hasStart() ? 0 : options?.hasEnd() ? end : position
  await outlet.send(confirmationFrame(randomUUID()))
  let hidden = 0
  const checkpoint = async (at: number) => {
    hidden = 0
    await outlet.send(checkpointFrame(at))
  }
  const take = async (event: StoredEvent) => {
    if (!filter || filter.wants(event)) {
      const waiting = outlet.send(await frame(event))
      if (waiting) await waiting
    }
    if (filter && ++hidden >= filter.checkpointEvery) await checkpoint(event.position)
  }
  await follow(reading, after, take, async (at) => {
    if (hidden) await checkpoint(at)
    await outlet.send(caughtUpFrame)
  })
}

/**
 * Hands over every committed event after a position, for ever. Reports when the end is reached, and when a reader who
 * was there has become so slow that memory no longer reaches back to where it stands. Positions may have gaps.
 */
async function follow(
  { log, outlet }: Reading,
  after: number,
  take: (event: StoredEvent) => Promise<void>,
  caughtUp: (position: number) => Promise<void> | undefined,
): Promise<void> {
  let [position, live] = [after, false]
  for (;;) {
    const end = log.tail.last
    if (position >= end) {
      if (!live) await caughtUp(position)
      live = true
      if (position >= log.tail.last) await outlet.until((signal) => log.tail.nextCommit(signal))
      continue
    }
    const remembered = log.tail.after(position, STEP_EVENTS)
    if (live && !remembered) await outlet.send(fellBehindFrame)
    live = live && remembered !== null
    const events =
      remembered ?? (await log.storage.readAll({ from: position + 1, backwards: false, limit: STEP_EVENTS })).events
    if (!events.length) throw new Error('The storage has lost events that it had committed.')
    for (const event of events) {
      await take(event)
      position = event.position
    }
  }
}
