import { defineConfig } from 'vitest/config'

/** One project per kind of test, so that a kind can run alone: `npx vitest run --project domain`. */
const kind = (name: string, overrides: object = {}) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    setupFiles: ['tests/support/setup.ts'],
    testTimeout: 30_000,
    ...overrides,
  },
})
// Groups run one after the other: first what needs no server, then what does, and drills with the machine to themselves.
// Files of one kind that need a server share a process and what they import: none leaves anything behind in it.
const served = { testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 2, isolate: false, sequence: { groupOrder: 1 } }
const drilled = { testTimeout: 300_000, hookTimeout: 120_000, maxWorkers: 1, sequence: { groupOrder: 2 } }

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    projects: [
      kind('architecture', { testTimeout: 60_000 }),
      kind('domain'),
      kind('app'),
      kind('contract', served),
      kind('eventstore', served),
      kind('projections', served),
      kind('usecases', served),
      kind('services', served),
      kind('reactors', served),
      kind('realtime', served),
      kind('routes', served),
      kind('server', served),
      kind('drills', drilled),
    ],
  },
})
