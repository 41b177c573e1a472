import type { Extent, Report } from './extent.ts'
import type { Store } from './store.ts'

/** What can be measured by itself. After its cap a part is cut off, and its figures so far count. */
export type Part = { about: string; capSeconds: number; measure(extent: Extent, report: Report): Promise<void> }

const withStore = async (work: (store: Store) => Promise<void>) => (await import('./store.ts')).withStore(work)

/**
 * In the order of the table. The caps together are what all parts may take on a quiet machine of two cores. Each loads
 * what it measures by itself.
 */
export const PARTS: Readonly<Record<string, Part>> = {
  appends: {
    about: 'to the log through its client, against plain inserts',
    capSeconds: 40,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./appends.ts')).benchAppends(store, extent, report)),
  },
  uncached: {
    about: 'a write into a long conversation that nothing is in memory of, against the next one',
    capSeconds: 60,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./uncached.ts')).benchUncached(store, extent, report)),
  },
  project: {
    about: 'events into all read models while they are written, against their appends alone',
    capSeconds: 35,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./projecting.ts')).benchProjecting(store, extent, report)),
  },
  behind: {
    about: 'a projector that is 100,000 events behind, against a bare COPY of the rows that it makes',
    capSeconds: 240,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./behind.ts')).benchBehind(store, extent, report)),
  },
  sharing: {
    about: 'what projectors ask of Postgres, alone and four together',
    capSeconds: 60,
    measure: (_extent, report) =>
      withStore(async (store) => (await import('./sharing.ts')).benchSharing(store, report)),
  },
  erasing: {
    about: 'what others wait while a member of 100,000 messages is erased',
    capSeconds: 60,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./erasing.ts')).benchErasing(store, extent, report)),
  },
  chain: {
    about: 'a million events against their heads, against a bare SHA-256 over the same bytes',
    capSeconds: 95,
    measure: (extent, report) =>
      withStore(async (store) => {
        const { benchChain } = await import('./chain.ts')
        for (const figure of await benchChain(store, extent.events)) report(figure)
      }),
  },
  live: {
    about: 'command to visible, and message to socket, against the look alone and a bare relay',
    capSeconds: 40,
    measure: async (extent, report) => (await import('./live.ts')).benchLive(extent, report),
  },
  sockets: {
    about: 'memory of a realtime node with a thousand of a million members, against the node alone',
    capSeconds: 420,
    measure: (extent, report) =>
      withStore(async (store) => (await import('./node-memory.ts')).benchNodeMemory(store, extent, report)),
  },
  pages: {
    about: 'rendered by the server, against a bare Node server that sends the same bytes',
    capSeconds: 80,
    measure: async (extent, report) => (await import('./pages.ts')).benchPages(extent, report),
  },
  pictures: {
    about: 'twenty of a deck: what they ask of Postgres, send and take, at a first look and at a second',
    capSeconds: 90,
    measure: async (extent, report) => (await import('./pictures.ts')).benchPictures(extent, report),
  },
  workers: {
    about: 'pages by two workers, against the same pages by one process in the same run',
    capSeconds: 150,
    measure: async (extent, report) => (await import('./workers.ts')).benchWorkers(extent, report),
  },
  feel: {
    about: 'pages on a slow phone and network, against a page of one heading over the same',
    capSeconds: 900,
    measure: async (extent, report) => (await import('./feel/feel.ts')).benchFeel(extent, report),
  },
  start: {
    about: 'to ready, and memory at rest, against a bare Node server',
    capSeconds: 45,
    measure: async (extent, report) => (await import('./start.ts')).benchStart(extent, report),
  },
  sizes: {
    about: 'script of each page, against its budget',
    capSeconds: 5,
    measure: async (extent, report) => (await import('./pages.ts')).benchSizes(extent, report),
  },
  audit: {
    about: "an auditor's pages about a member with a thousand events on one stream",
    capSeconds: 45,
    measure: async (_extent, report) => {
      const { benchAudit } = await import('./audit.ts')
      await benchAudit(report)
    },
  },
}
