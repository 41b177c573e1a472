import { expect, test } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import type { ProjectionStatus } from '../../projections/engine/engine.ts'
import { projectorState } from '../../server/projector-state.ts'

const status = (more: Partial<ProjectionStatus>): ProjectionStatus => ({
  name: 'accounts',
  version: 1,
  state: 'live',
  position: START,
  lag: { events: 0, seconds: 0 },
  error: null,
  quarantined: 0,
  ...more,
})
const isReady = (more: Partial<ProjectionStatus>) => projectorState([status({}), status(more)]).ready

test('a process is ready while what it shows is no more than ten seconds behind, whoever feeds it', () => {
  for (const state of ['live', 'following', 'outdated'] as const) {
    expect(isReady({ state, lag: { events: 3, seconds: 10 } })).toBe(true)
    expect(isReady({ state, lag: { events: 3, seconds: 11 } })).toBe(false)
    expect(isReady({ state, lag: { events: null, seconds: null } })).toBe(false)
  }
  expect(isReady({ state: 'paused', lag: { events: 3, seconds: 99 } })).toBe(true)
  for (const state of ['starting', 'filling'] as const) expect(isReady({ state })).toBe(false)
  expect(isReady({ error: 'its handler failed' })).toBe(false)
})
