import type pg from 'pg'
import { START } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'
import { createCaughtUp } from '../caught-up.ts'
import { listTargets } from '../checkpoints.ts'
import { logEndOf } from '../targets.ts'

/** The live read models, of whichever release, that do not show all that is in the log, once they had a moment to. */
export async function listBehind(pool: pg.Pool, log: Pick<Log, 'id' | 'head'>): Promise<string[]> {
  const { logId, head } = await logEndOf(log)
  // One of its own: another knows who was live when it looked last.
  await createCaughtUp(pool)(head)
  const live = (await listTargets(pool)).filter(({ state }) => state === 'live')
  const shows = ({ position, logId: own }: (typeof live)[number]) =>
    position >= head && (position === START || own === logId)
  return live.filter((target) => !shows(target)).map(({ name }) => name)
}
