import type pg from 'pg'
import type { Log } from '../../../eventstore/log.ts'
import { createCaughtUp } from '../caught-up.ts'
import { listTargets } from '../checkpoints.ts'

/** The live read models, of whichever release, that do not show all that is in the log, once they had a moment to. */
export async function listBehind(pool: pg.Pool, log: Pick<Log, 'id' | 'head'>, ms?: number): Promise<string[]> {
  const [logId, head] = [await log.id(), await log.head()]
  // One of its own: another knows who was live when it looked last.
  await createCaughtUp(pool)(head, undefined, ms)
  const live = (await listTargets(pool)).filter(({ state }) => state === 'live')
  return live.filter((target) => target.logId !== logId || target.position < head).map(({ name }) => name)
}
