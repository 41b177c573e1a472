import type { Guard } from './guard.ts'

/** What keeps a member's whereabouts to a square kilometre. */
export const LOCATION_GUARDS: readonly Guard[] = [
  {
    name: 'the offset of a grid of one’s own',
    file: 'domain/shared/published-cell.ts',
    with: '{ east: (east - 0.5) * DISCOVER_CELL_M, north: (north - 0.5) * DISCOVER_CELL_M }',
    without: '{ east: east * 0, north: north * 0 }',
    test: {
      project: 'drills',
      file: 'tests/drills/whereabouts/whereabouts.test.ts',
      title: 'whoever stands still, walks, commutes or lives near a corner is found by no number of accounts',
    },
  },
  {
    name: 'the key of a grid of one’s own',
    file: 'services/nearby/publication.ts',
    with: "createHmac('sha256', key)",
    without: "createHmac('sha256', key.subarray(0, 0))",
    test: {
      project: 'services',
      file: 'tests/services/nearby/published-cells.test.ts',
      title: 'each member’s grid lies elsewhere, always the same, and by the key alone',
    },
  },
  {
    name: 'the margin past the edge of a cell',
    file: 'domain/shared/published-cell.ts',
    with: 'DISCOVER_CELL_M / 2 + marginM',
    without: 'DISCOVER_CELL_M / 2 + 0 * marginM',
    test: {
      project: 'routes',
      file: 'tests/routes/published-cells.test.ts',
      title: 'a walk over an edge shows after the margin and the delay, to both sides alike',
    },
  },
  {
    name: 'the delay of a change of cells',
    file: 'domain/shared/published-cell.ts',
    with: 'new Date(now.getTime() + delayMs)',
    without: 'new Date(now.getTime() + delayMs * 0)',
    test: {
      project: 'routes',
      file: 'tests/routes/published-cells.test.ts',
      title: 'a walk over an edge shows after the margin and the delay, to both sides alike',
    },
  },
  {
    name: 'the time of a change that waits already',
    file: 'domain/shared/published-cell.ts',
    with: 'next?.dueAt ?? new Date(',
    without: 'new Date(',
    test: {
      project: 'services',
      file: 'tests/services/nearby/published-cells.test.ts',
      title: 'a journey is shown late by twelve minutes at most, however the member moves on',
    },
  },
  {
    name: 'the publication of what is due, without a request',
    file: 'services/nearby/publication.ts',
    with: 'PUBLISH_EVERY_MS = 5_000',
    without: 'PUBLISH_EVERY_MS = 3_600_000',
    test: {
      project: 'routes',
      file: 'tests/routes/published-cells.test.ts',
      title: 'a journey is shown within twelve minutes, by the product itself',
    },
  },
  {
    name: 'the limit of locations where none is kept',
    file: 'services/nearby/accept.ts',
    with: "await deps.limits.take('ANEW', member)",
    without: 'await Promise.resolve({ ok: true, retryInMs: 0 })',
    test: {
      project: 'services',
      file: 'tests/services/nearby/anew.test.ts',
      title: 'forgetting and setting at once gets nobody to more locations',
    },
  },
]
