import { defineConfig } from 'vitest/config'

type Settings = { readonly maxWorkers: number; readonly isolate?: boolean; readonly sequence: { groupOrder: number } }
type Timeouts = { readonly testTimeout: number; readonly hookTimeout?: number }

/** Groups run one after the other: first what needs no server, then what does, and drills last, which kill what they start. */
const GROUPS = {
  // Files share a process and what they import: none leaves anything behind in it.
  pure: { testTimeout: 60_000, maxWorkers: 2, isolate: false, sequence: { groupOrder: 0 } },
  // Two of them leave a third of the processors' time unused, and three a tenth: they wait for Postgres, the log and each other.
  served: { testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 4, isolate: false, sequence: { groupOrder: 1 } },
  drilled: { testTimeout: 300_000, hookTimeout: 120_000, maxWorkers: 2, isolate: false, sequence: { groupOrder: 3 } },
} satisfies Record<string, Settings & Timeouts>

/** The folders of tests, each with one kind of them. */
export const KINDS: Readonly<Record<string, keyof typeof GROUPS>> = {
  app: 'pure',
  architecture: 'pure',
  domain: 'pure',
  contract: 'served',
  eventstore: 'served',
  projections: 'served',
  services: 'served',
  usecases: 'served',
  reactors: 'served',
  realtime: 'served',
  routes: 'served',
  server: 'served',
  drills: 'drilled',
}

const project = (name: string, group: keyof typeof GROUPS, kinds: readonly string[]) => ({
  test: {
    name,
    include: kinds.map((kind) => `tests/${kind}/**/*.test.{ts,tsx}`),
    setupFiles: ['tests/support/setup.ts'],
    ...GROUPS[group],
  },
})

/** Of those that are served: what they have parsed and drawn gives way to all else, and has a time to end in. */
const CALM = [
  'tests/services/{media,hostile,stripped,uploads,receive}*',
  'tests/services/media/*',
  'tests/routes/{media,uploads}*',
  'tests/server/{demo,export,uploads}/**',
].map((files) => `${files}.test.ts`)
const calm = {
  test: {
    ...project('calm', 'served', []).test,
    ...{ include: CALM, maxWorkers: 2, sequence: { groupOrder: 2 } },
  },
}

/** Of those that need no server: they have the document of a browser, and a process ends where files with one and without meet. */
export const DRAWN = [
  'tests/app/live/fetch-again.test.ts',
  'tests/app/live/hidden.test.tsx',
  'tests/app/live/hooks.test.tsx',
  'tests/app/match-overlay.test.tsx',
]
const drawn = { test: { ...project('drawn', 'pure', []).test, include: DRAWN } }

/** One project per kind of test, so that a kind can run alone: `npx vitest run --project domain`. */
const apart = () => Object.entries(KINDS).map(([kind, group]) => project(kind, group, [kind]))

const kindsIn = (...groups: (keyof typeof GROUPS)[]) =>
  Object.keys(KINDS).filter((kind) => groups.includes(KINDS[kind] as keyof typeof GROUPS))

/**
 * For all of them in one run: its processes read the product once, and not once for each kind, and what needs no server goes beside what
 * waits for one.
 */
const together = () => {
  const served = project('served', 'served', kindsIn('pure', 'served'))
  const rest = { test: { ...served.test, exclude: [...CALM, ...DRAWN] } }
  return [drawn, rest, calm, project('drilled', 'drilled', kindsIn('drilled'))]
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // What a source becomes is kept between runs, by its content.
    experimental: { fsModuleCache: true },
    projects: process.env.TEST_TOGETHER ? together() : apart(),
  },
})
