import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import { allModels, memberModels } from '../../projections/all-projections.ts'
import { type CaughtUp, createCaughtUp } from '../../projections/engine/caught-up.ts'
import type { Projector } from '../../projections/engine/engine.ts'

const ASK_MS = 1_000

/** Asks the log itself, which other processes write to as well. A log that does not answer has written nothing. */
export async function wasWritten(log: Pick<Log, 'end'>, position: Position): Promise<boolean> {
  const end = await log.end(AbortSignal.timeout(ASK_MS)).catch(() => null)
  return end !== null && position <= end
}

/** Asks the projector of this process, or the checkpoints when another process has it: about this release's read models. */
export function caughtUpBy(projector: Projector | null, pool: pg.Pool, log: Pick<Log, 'id'>): CaughtUp {
  if (projector) return (position, names, ms) => projector.waitFor(position, names, ms)
  const caughtUp = createCaughtUp(pool, log)
  return (position, names = allModels, ms) => caughtUp(position, names, ms)
}

/** What the read models of members show now, at least: the earliest of their positions. */
export function shownPosition(projector: Projector): Position | null {
  const positions = projector.positions()
  return memberModels.flatMap((name) => positions.get(name) ?? []).sort()[0] ?? null
}
