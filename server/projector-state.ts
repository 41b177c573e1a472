import type { ProjectionStatus } from '../projections/engine/engine.ts'
import type { RoleState } from './http/raw/health.ts'

/** Another process is taken to feed what this one shows while that is no further behind than this. */
const FED_WITHIN_SECONDS = 10

/** Whether the read models of a process show what is so, and how far behind each of them is (decision 0010). */
export function projectorState(all: readonly ProjectionStatus[]): RoleState {
  const detail = all.map(({ name, lag, state }) => ({ name, ...lag, ...(state !== 'live' && { [state]: true }) }))
  return { role: 'projector', ready: all.every(isReady), detail }
}

function isReady({ state, error, lag }: ProjectionStatus): boolean {
  if (error !== null) return false
  if (state === 'outdated' || state === 'following') return lag.seconds !== null && lag.seconds <= FED_WITHIN_SECONDS
  return state === 'live' || state === 'paused'
}
