import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import { withTimeout } from '../../eventstore/retry.ts'
import { memberModels } from '../../projections/all-projections.ts'
import { livePositions } from '../../projections/engine/checkpoints.ts'
import type { Projector } from '../../projections/engine/engine.ts'
import { epochOf } from '../../projections/engine/set-back.ts'
import { shownPosition } from './caught-up.ts'

const ASK_MS = 1_000
/** So long an answer of the checkpoints is good for all who ask: rows that are read later show at least as much. */
const GOOD_FOR_MS = 100

/** What the read models of members show at least, asked before their rows are read; null where it is not known. */
export type ShownUpTo = () => Promise<Position | null>
/** The life of the log that positions are of, asked before them; undefined where it is not known. */
export type EpochNow = () => Promise<string | undefined>

/** Asked until there is an answer: a log is set back while no process runs, and each start notes it. */
export function epochBy(pool: Pick<pg.Pool, 'query'>, log: Pick<Log, 'id'>): EpochNow {
  let known: string | undefined
  const ask = sharedFor(GOOD_FOR_MS, () => withTimeout(epochOf(pool, log), ASK_MS).catch(() => undefined))
  return async () => {
    known ??= await ask()
    return known
  }
}

/** The projector of this process knows it, or the checkpoints when another process has it. */
export function shownBy(projector: Projector | null, pool: Pick<pg.Pool, 'query'>, log: Pick<Log, 'id'>): ShownUpTo {
  if (projector) return async () => shownPosition(projector)
  const ask = async () => earliest(await livePositions(pool, await log.id()))
  return sharedFor(GOOD_FOR_MS, () => withTimeout(ask(), ASK_MS).catch(() => null))
}

/** Null while one of them shows nothing at all. */
function earliest(positions: ReadonlyMap<string, Position>): Position | null {
  const found = memberModels.flatMap((name) => positions.get(name) ?? [])
  return found.length === memberModels.length ? (found.sort()[0] ?? null) : null
}

/** Asks once for all who come while it is asked and for a while after it. */
function sharedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().finally(() => setTimeout(() => (asked = undefined), ms).unref())
    return asked
  }
}
