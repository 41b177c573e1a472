import type pg from 'pg'
import { allProjections } from '../../projections/all-projections.ts'
import { createProjector, type Projector } from '../../projections/engine/engine.ts'
import type { Core } from '../../server/core.ts'

/** Of all read models of the product, as a process of its own has it; with the core's pool unless another is given. */
export function projectorOf({ log, feed, codec, keys, storage }: Core, pool: pg.Pool = storage.pool): Projector {
  const [now, report] = [() => new Date(), () => undefined]
  return createProjector({ log, feed, codec, keys, pool, projections: allProjections, now, report })
}
