import type pg from 'pg'
import type { Log } from '../../../eventstore/log.ts'
import { createCaughtUp } from '../caught-up.ts'
import { listTargets, positionIn, type Target } from '../checkpoints.ts'
import { logEndOf, setBackBehind, type TargetLog } from '../set-back.ts'

/** Whether readers see rows of this log in all of these: what another had, or this one before it was set back, shows nothing of it. */
export async function showLog(pool: pg.Pool, log: Pick<Log, 'id'>, names: readonly string[]): Promise<boolean> {
  const [logId, targets] = [await log.id(), await listTargets(pool)]
  const live = targets.filter((target) => target.state === 'live' && target.logId === logId)
  return names.every((wanted) => live.some(({ name }) => name === wanted))
}

/** Whether readers see rows in any of these that are of another log, or of this one before it was set back, by what is noted. */
export async function showOther(pool: pg.Pool, log: Pick<Log, 'id'>, names: readonly string[]): Promise<boolean> {
  const [here, targets] = [await log.id(), await listTargets(pool)]
  const live = targets.filter(({ state, name }) => state === 'live' && names.includes(name))
  // Without a log they were moved by no event of any.
  return live.some(({ logId }) => logId !== null && logId !== here)
}

/**
 * The live read models, of whichever release, that do not show all that is in the log, once they had a moment to. Rows of another
 * log, or of what this one was before it was set back, show nothing of it, whether somebody has noted that or not.
 */
export async function listBehind(pool: pg.Pool, log: TargetLog, ms?: number): Promise<string[]> {
  const head = await log.head()
  // One of its own: another knows who was live when it looked last.
  await createCaughtUp(pool, log)(head, undefined, ms)
  const live = (await listTargets(pool)).filter(({ state }) => state === 'live')
  const end = await logEndOf(log)
  const gone = await setBackBehind(pool, log, live, end)
  const isBehind = (target: Target) => positionIn(end.logId, target) < head || gone.includes(target)
  return live.filter(isBehind).map(({ name }) => name)
}
