import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import { livePositions } from './checkpoints.ts'
import { Waiters } from './waiters.ts'

const LOOK_EVERY_MS = 10
const WAIT_MS = 1_500

/** True once the named projections (all that are live when absent) show the position; false when not within `ms`. */
export type CaughtUp = (position: Position, names?: readonly string[], ms?: number) => Promise<boolean>

/**
 * For a process without a projector: asks the checkpoints, one query at a time for all who wait, and none while nobody
 * does. A database that does not answer counts as not caught up.
 */
export function createCaughtUp(pool: pg.Pool, log: Pick<Log, 'id'>): CaughtUp {
  const waiters = new Waiters()
  let positions = new Map<string, Position>()
  let looking = false

  const look = async () => livePositions(pool, await log.id())

  async function lookWhileWaiting(): Promise<void> {
    looking = true
    while (waiters.size > 0) {
      positions = await look().catch(() => positions)
      waiters.look()
      if (waiters.size > 0) await wait(LOOK_EVERY_MS)
    }
    looking = false
  }

  return (position, names, ms = WAIT_MS) => {
    const reached = () => {
      const wanted = names ?? [...positions.keys()]
      return wanted.length > 0 && wanted.every((name) => (positions.get(name) ?? '') >= position)
    }
    const answer = waiters.until(reached, ms)
    if (!looking && waiters.size > 0) void lookWhileWaiting()
    return answer
  }
}
