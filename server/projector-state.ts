import type { ProjectionStatus } from '../projections/engine/engine.ts'
import type { RoleState } from './http/raw/health.ts'

/** Whoever feeds it: what is further behind shows members what is no more, such as somebody who has blocked them. */
const BEHIND_SECONDS = 10

/** Whether the read models of a process show what is so, and how far behind each of them is (decision 0010). */
export function projectorState(all: readonly ProjectionStatus[]): RoleState {
  const detail = all.map(({ name, lag, state }) => ({ name, ...lag, ...(state !== 'live' && { [state]: true }) }))
  return { role: 'projector', ready: all.every(isReady), detail }
}

function isReady({ state, error, lag }: ProjectionStatus): boolean {
  if (error !== null || state === 'starting' || state === 'filling') return false
  return state === 'paused' || (lag.seconds !== null && lag.seconds <= BEHIND_SECONDS)
}
