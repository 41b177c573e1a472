import type { Projector } from '../../projections/engine/engine.ts'
import type { Reactors } from '../../reactors/run.ts'
import type { RoleState } from '../http/raw/health.ts'
import type { Live } from '../live.ts'
import { projectorState } from '../projector-state.ts'
import type { createStoreCheck } from '../stores-answer.ts'
import type { ShownLog } from './shown-log.ts'

/** Of the stores and of each role of a process. */
export function statesBy(
  ofStores: ReturnType<typeof createStoreCheck>,
  shown: ShownLog,
  projector: Projector | null,
  live: Live | null,
  reactors: Pick<Reactors, 'outgrown'> | null,
): () => Promise<RoleState[]> {
  return async () => {
    const states = [...(await ofStores())]
    if (!shown.isShown()) states.push({ role: 'read models', ready: false })
    if (projector) states.push(projectorState(projector.status()))
    if (live?.realtime) states.push({ role: 'realtime', ready: live.realtime.ready() })
    if (reactors?.outgrown()) states.push({ role: 'reactors', ready: false })
    return states
  }
}
