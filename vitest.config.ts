import { defineConfig } from 'vitest/config'

/** One project per kind of test, so that a kind can run alone: `npx vitest run --project domain`. */
const kind = (name: string, overrides: object = {}) => ({
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], setupFiles: ['tests/support/setup.ts'], ...overrides },
})
const served = { testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 2 }

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    projects: [
      kind('architecture', { testTimeout: 60_000 }),
      kind('domain'),
      kind('contract', served),
      kind('eventstore', served),
      kind('projections', served),
      kind('services', served),
      kind('reactors', served),
      kind('realtime', served),
      kind('routes', served),
      kind('server', served),
      kind('components', { environment: 'happy-dom' }),
    ],
  },
})
