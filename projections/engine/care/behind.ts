import type pg from 'pg'
import type { Log } from '../../../eventstore/log.ts'
import { createCaughtUp } from '../caught-up.ts'
import { listTargets, livePositions } from '../checkpoints.ts'

/** Whether readers see rows of this log in all of these: what another had, or this one before it was set back, shows nothing of it. */
export async function showLog(pool: pg.Pool, log: Pick<Log, 'id'>, names: readonly string[]): Promise<boolean> {
  const [logId, targets] = [await log.id(), await listTargets(pool)]
  const live = targets.filter((target) => target.state === 'live' && target.logId === logId)
  return names.every((wanted) => live.some(({ name }) => name === wanted))
}

/** The live read models, of whichever release, that do not show all that is in the log, once they had a moment to. */
export async function listBehind(pool: pg.Pool, log: Pick<Log, 'id' | 'head'>, ms?: number): Promise<string[]> {
  const head = await log.head()
  // One of its own: another knows who was live when it looked last.
  await createCaughtUp(pool, log)(head, undefined, ms)
  const live = await livePositions(pool, await log.id())
  return [...live].flatMap(([name, position]) => (position < head ? [name] : [])).sort()
}
