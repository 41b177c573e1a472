import type pg from 'pg'
import type { Codec } from '../../eventstore/codec.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import type { Projection } from '../projection.ts'
import { schemaOf, type Target } from './checkpoints.ts'
import { createDecode } from './decoding.ts'
import { type FillProgress, fillAndSwap } from './fill.ts'
import { checkProjection } from './tables.ts'
import { findHome } from './targets.ts'

export type RebuildDeps = {
  readonly log: Pick<Log, 'readAll' | 'head'>
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  readonly pool: pg.Pool
  readonly signal: AbortSignal
  readonly onProgress?: (progress: FillProgress) => void
}

/** The running product's code is newer than this one: its tables are not ours to make. */
export class NewerCode extends Error {
  override name = 'NewerCode'
}

/**
 * Makes a projection's tables anew from the log, beside those that readers see, and swaps them in; a rebuild that was
 * killed goes on where it stopped. Strict: throws PoisonEvent naming the event, and readers keep what they had.
 */
export async function rebuild(deps: RebuildDeps, projection: Projection): Promise<Target & { schema: string }> {
  checkProjection(projection)
  const home = await findHome(deps.pool, deps.log, projection, { again: true })
  if (home.do === 'wait') throw new NewerCode(`${projection.name} is live in version ${home.live.version}`)
  // Another rebuild went live in this moment.
  if (home.do === 'follow') return { ...home.target, schema: schemaOf(home.target) }
  const decode = createDecode(deps.codec, deps.keys)
  const target = await fillAndSwap({ ...deps, decode, projection }, home.target, { strict: true })
  return { ...target, schema: schemaOf(target) }
}
