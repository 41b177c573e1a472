import type { Position } from '../../../domain/shared/recorded.ts'
import { pause } from '../../../eventstore/retry.ts'
import { leaveToOtherProcess } from '../apply.ts'
import { BatchProcessor } from '../batch-processor.ts'
import { findLive, type Target } from '../checkpoints.ts'
import { catchUpTo, type FillDeps } from '../fill/fill.ts'
import { feederOf } from '../leases.ts'
import { listOwed } from '../owed/owed.ts'
import { listPaused } from './pause.ts'

export type LiveDeps = FillDeps & {
  /** How long live may stand still before it is where the new tables are. */
  readonly liveComesMs?: number | undefined
}

const LIVE_COMES_MS = 5_000
/** How many times as long a process may take for a debt: one is very many pieces, of which nothing shows how many are left. */
const PAYING = 12
const LOOK_MS = 40

/** False where live stands still before this position. */
export const bringLive = (deps: LiveDeps, to: Position): Promise<boolean> =>
  onLive(deps, {
    isThere: async ({ name, position }) => position >= to || (await listPaused(deps.pool)).has(name),
    work: (live) => catchUpTo(deps, live, { count: () => undefined }, to),
    gotTo: async ({ position }) => ({ at: position, patience: 1 }),
  })

/** False where live stands still with something that it owes. */
export const payLive = (deps: LiveDeps): Promise<boolean> =>
  onLive(deps, {
    isThere: async (live) => (await listOwed(deps.pool, live)).length === 0,
    work: (live) => live.payAll(),
    gotTo: async (live) => {
      const [[first], feeder] = [await listOwed(deps.pool, live), await feederOf(deps.pool, live.name)]
      return { at: `${first?.number} ${feeder}`, patience: feeder ? PAYING : 1 }
    },
  })

/** What live lacks to be compared. */
type LiveWork = {
  readonly isThere: (live: Target) => Promise<boolean>
  readonly work: (live: BatchProcessor) => Promise<void>
  /** `at` changes with each step that others make; a step may take so many times as long as usual. */
  readonly gotTo: (live: Target) => Promise<{ readonly at: string; readonly patience: number }>
}

/**
 * This code does it in tables of its own version; for others, whoever feeds them gets a while, and another one whenever they
 * have come further.
 */
async function onLive(deps: LiveDeps, { isThere, work, gotTo }: LiveWork): Promise<boolean> {
  const { pool, projection, signal, liveComesMs = LIVE_COMES_MS } = deps
  let [last, since] = ['', performance.now()]
  for (;;) {
    signal.throwIfAborted()
    const live = await findLive(pool, projection.name)
    if (!live || (await isThere(live))) return true
    const { at, patience } = await gotTo(live)
    if (at !== last) [last, since] = [at, performance.now()]
    if (performance.now() - since >= liveComesMs * patience) return false
    if (live.version === projection.version) {
      const processor = await BatchProcessor.of(deps, live, { poison: 'quarantined', owes: true, until: signal })
      const isDone = await work(processor).then(() => true, leaveToOtherProcess)
      if (isDone) return true
    }
    await pause(LOOK_MS, signal)
  }
}
