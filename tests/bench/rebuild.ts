import { cpus } from 'node:os'
import type pg from 'pg'
import { createCodec } from '../../eventstore/codec.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { rollback } from '../../projections/engine/care/tables-by-hand.ts'
import type { FillProgress } from '../../projections/engine/fill/meter.ts'
import { type RebuildDeps, type Rebuilt, rebuild } from '../../projections/engine/rebuild.ts'
import type { Projection } from '../../projections/projection.ts'
import { type Core, openCore } from '../../server/core.ts'
import { runCommand, UsageError } from '../../server/tools/cli/support/command.ts'
import { startLogProcess } from '../drills/log-child.ts'
import { type Figure, ms, percentile, perSecond, ratio, table } from './figures.ts'
import { openCards, sealedCards } from './rebuild-model.ts'
import { bareCopy, peerRebuild, transactionPerEvent } from './rebuild-peers.ts'
import { startReaders } from './rebuild-readers.ts'
import { type Sizes as KeptSizes, MASTER_KEY, type Store, withKeptEvents } from './rebuild-store.ts'

const HELP = `
Usage: npm run bench:rebuild -- [--events <n>] [--members <n>] [--peers <n>] [--fresh]

A read model of one row for each member, made anew from generated events in the embedded log, with sealed fields and
without, beside a transaction per event, the rebuild of @event-driven-io/emmett-postgresql and a bare COPY of the final rows.

  --events <n>    default 1,000,000
  --members <n>   default 50,000
  --peers <n>     events for what is slow beside it, default 20,000
  --fresh         makes the events anew; otherwise those of an earlier run of the same size are used again`

type Sizes = KeptSizes & { readonly peers: number }
const SWAPS = 20

type Timed = {
  readonly done: Rebuilt
  readonly seconds: number
  readonly fillSeconds: number
  readonly peakMb: number
  readonly processor: number
}

async function timed(deps: Omit<RebuildDeps, 'onProgress'>, projection: Projection): Promise<Timed> {
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
  let filledAt = startedAt
  let peak = 0
  const onProgress = ({ phase }: FillProgress) => {
    peak = Math.max(peak, process.memoryUsage.rss())
    if (phase === 'index') filledAt = performance.now()
  }
  const done = await rebuild({ ...deps, onProgress }, projection)
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(usedBefore)
  const processor = (user + system) / 1e6
  return { done, processor, seconds, fillSeconds: (filledAt - startedAt) / 1_000, peakMb: Math.round(peak / 1024 ** 2) }
}

async function measure(store: Store, projection: Projection, sealed: boolean, sizes: Sizes): Promise<Figure[]> {
  const { app, log: logDatabase } = store
  const masterKey = MASTER_KEY
  const log = await startLogProcess(logDatabase, 0)
  const secrets = { masterKey, emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  try {
    const { signal } = new AbortController()
    const base = { log: core.log, codec: core.codec, keys: core.keys, pool: core.storage.pool, signal }
    const direct = { ...base, table: logDatabase }
    await rebuild(direct, projection)
    // Keys are fetched anew, as in a fresh process.
    const fresh = createKeyRing(core.storage.pool, masterKey)
    const own = await timed({ ...direct, codec: createCodec(fresh), keys: fresh }, projection)
    const kind = sealed ? 'with sealed fields' : 'without sealed fields'
    const figures = [...rebuildFigures(kind, own, sizes)]
    if (!sealed) {
      figures.push(...(await swapFigures(direct, projection, app)))
      figures.push(...(await peerFigures(store, core, projection, own, sizes)))
    }
    return figures
  } finally {
    await core.close()
    await log.kill()
  }
}

function rebuildFigures(kind: string, own: Timed, { events }: Sizes): Figure[] {
  const { verdict } = own.done
  if (!verdict?.same || !own.done.swapped) throw new Error('The rebuilt rows differ.')
  const whole = ({ seconds, processor }: Timed) =>
    `${seconds.toFixed(1)} s to the swap, ${processor.toFixed(1)} s of processor`
  return [
    { what: `rebuild ${kind}`, value: `${perSecond(events / own.fillSeconds)} filled`, against: whole(own) },
    { what: '  memory of the process at its peak', value: `${own.peakMb} MB` },
    {
      what: '  compared with live, row by row',
      value: `${verdict.seconds.toFixed(2)} s`,
      against: `${verdict.tables[0]!.rows.fresh} rows`,
    },
  ]
}

/** Rebuilds and rollbacks while readers read. */
async function swapFigures(deps: RebuildDeps, projection: Projection, app: pg.ClientConfig): Promise<Figure[]> {
  const readers = startReaders(app, projection.name, projection.tables[0]!.name)
  const windows: { from: number; to: number }[] = []
  for (let round = 0; round < SWAPS; round++) {
    let from = 0
    const onProgress = ({ phase }: FillProgress) => {
      if (phase === 'swap') from = performance.now()
    }
    await rollback({ ...deps, onProgress }, projection)
    windows.push({ from, to: performance.now() })
  }
  const { times, errors } = await readers.stop()
  const during = times.filter(({ at, ms }) => windows.some(({ from, to }) => at < to && at + ms > from))
  const outside = times.filter((one) => !during.includes(one))
  const longest = windows.map(({ from, to }) =>
    Math.max(...during.filter(({ at, ms }) => at < to && at + ms > from).map((one) => one.ms)),
  )
  const p99 = (reads: readonly { ms: number }[]) =>
    percentile(
      reads.map((read) => read.ms),
      0.99,
    )
  return [
    {
      what: `reads that met one of ${SWAPS} swaps, p99`,
      value: ms(p99(during)),
      against: `others ${ms(p99(outside))}`,
      ratio: ratio(p99(during), p99(outside)),
    },
    { what: '  the longest read of each swap, p99', value: ms(percentile(longest, 0.99)) },
    { what: '  reads that failed', value: `${errors.length} of ${times.length.toLocaleString('en')}` },
  ]
}

async function peerFigures(store: Store, core: Core, projection: Projection, own: Timed, sizes: Sizes) {
  const { events, members, peers } = sizes
  const mine = events / own.fillSeconds
  const single = await transactionPerEvent(core, { ...projection, version: 2 }, peers)
  const bare = await bareCopy(core, projection)
  const few = Math.max(1, Math.round((peers * members) / events))
  const line = (what: string, other: number): Figure => ({
    what,
    value: perSecond(other),
    against: `ours ${perSecond(mine)}`,
    ratio: ratio(mine, other),
  })
  return [
    line(`a transaction per event, of ${peers}`, single),
    line(`emmett-postgresql, its defaults, of ${peers}`, await peerRebuild(store.bare, peers, few, 100)),
    line(`emmett-postgresql, batches of 1,000, of ${peers}`, await peerRebuild(store.bare, peers, few, 1_000)),
    {
      what: 'bare COPY of the final rows',
      value: `${bare.seconds.toFixed(2)} s`,
      against: `${bare.rows} rows, filling ${own.fillSeconds.toFixed(1)} s`,
      ratio: ratio(own.fillSeconds, bare.seconds),
    },
  ]
}

function countOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} wants a whole number above 0, not "${text}".`)
  return Number(text)
}

await runCommand({
  help: HELP,
  options: {
    events: { type: 'string' },
    members: { type: 'string' },
    peers: { type: 'string' },
    fresh: { type: 'boolean' },
  },
  async run({ values }) {
    const events = countOf('events', values.events, 1_000_000)
    const members = countOf('members', values.members, 50_000)
    const sizes = { events, members, peers: countOf('peers', values.peers, 20_000) }
    const figures = await withKeptEvents(sizes, values.fresh === true, async (storeOf) => {
      const all: Figure[] = []
      for (const [projection, sealed] of [
        [openCards, false],
        [sealedCards, true],
      ] as const) {
        process.stderr.write(`${events} events ${sealed ? 'with' : 'without'} sealed fields …\n`)
        all.push(...(await measure(await storeOf(sealed), projection, sealed, sizes)))
      }
      return all
    })
    const [cpu] = cpus()
    process.stdout.write(`\nNode ${process.version}, ${cpus().length} cores, ${cpu?.model ?? 'unknown'}\n\n`)
    process.stdout.write(`${table(figures)}\n`)
    process.exit(0)
  },
})
