import { cpus, tmpdir } from 'node:os'
import { allProjections } from '../../projections/all-projections.ts'
import { rollback } from '../../projections/engine/care/tables-by-hand.ts'
import type { FillProgress } from '../../projections/engine/fill/meter.ts'
import { type RebuildDeps, rebuild, rebuildAll } from '../../projections/engine/rebuild.ts'
import { relations } from '../../projections/relations/project.ts'
import { type Core, openCore } from '../../server/core.ts'
import { runCommand, UsageError } from '../../server/tools/cli/support/command.ts'
import { startLogProcess } from '../drills/log-child.ts'
import { type Figure, ms, percentile, perSecond, ratio, table } from './figures.ts'
import { MASTER_KEY, type Store, withKeptLog } from './rebuild/kept-log.ts'
import { bareCopy, peerRebuild, transactionPerEvent } from './rebuild/peers.ts'
import { startReaders } from './rebuild/readers.ts'

const HELP = `
Usage: npm run bench:rebuild -- [<events> …] [--peers <n>] [--fresh]

All read models of the product, made from a mix of so many events (300,000 and 3,000,000 by default) in the embedded log, in
one pass: a first start on empty tables, then once more beside live ones, compared row by row and swapped. Beside them a bare COPY
of the same rows, and of the read model "relations" alone a transaction per event and the rebuild of
@event-driven-io/emmett-postgresql.

  --peers <n>  events for what is slow beside it, default 20,000
  --fresh      writes the mix anew; otherwise that of an earlier run of the same size is used again`

const SIZES = [300_000, 3_000_000]
const SWAPS = 20
const SAMPLE_MS = 200

type Deps = Omit<RebuildDeps, 'onProgress'>
type Timed = {
  readonly seconds: number
  readonly fillSeconds: number
  readonly peakMb: number
  readonly processor: number
}

/** All read models; `fillSeconds` is until the slowest one is at the head of the log. */
async function timedAll(deps: Deps, events: number): Promise<Timed> {
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
  let [filledAt, peak, shown] = [startedAt, 0, startedAt]
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS)
  const onProgress = (_name: string, { phase, done }: FillProgress) => {
    const now = performance.now()
    if (phase === 'fill') filledAt = now
    if (now - shown < 10_000) return
    shown = now
    process.stderr.write(`  ${phase} ${Math.round((done / events) * 100)} %\n`)
  }
  const done = await rebuildAll(deps, allProjections, { onProgress }).finally(() => clearInterval(watch))
  for (const [at, one] of done.entries()) {
    if (one.status === 'rejected') throw one.reason
    const { verdict, swapped } = one.value
    if (!swapped || verdict?.same === false) throw new Error(`The rows of ${allProjections[at]!.name} differ.`)
  }
  const { user, system } = process.cpuUsage(usedBefore)
  const fillSeconds = (filledAt - startedAt) / 1_000
  const seconds = (performance.now() - startedAt) / 1_000
  return { seconds, fillSeconds, peakMb: Math.round(peak / 1024 ** 2), processor: (user + system) / 1e6 }
}

async function measure(store: Store, events: number, peers: number): Promise<Figure[]> {
  const log = await startLogProcess(store.log, 0)
  const secrets = { masterKey: MASTER_KEY, emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: store.app, log: log.connectionString, secrets })
  const { signal } = new AbortController()
  const { codec, keys, storage } = core
  const deps = { log: core.log, codec, keys, pool: storage.pool, signal, table: store.log }
  try {
    const of = `${events.toLocaleString('en')} events`
    const figures: Figure[] = []
    // A run takes long: what was measured stays, whatever becomes of the rest.
    const note = (more: readonly Figure[]) => {
      figures.push(...more)
      process.stderr.write(`${table(more)}\n`)
    }
    const first = await timedAll(deps, events)
    note(figuresOf(`all read models, first start, ${of}`, first, events))
    note(await copyFigures(core, first))
    note(figuresOf(`all read models, beside live ones, ${of}`, await timedAll(deps, events), events))
    note(await peerFigures(store, core, deps, events, peers))
    note(await swapFigures(deps, store))
    return figures
  } finally {
    await core.close()
    await log.kill()
  }
}

const figuresOf = (what: string, { seconds, fillSeconds, peakMb, processor }: Timed, events: number): Figure[] => [
  {
    what,
    value: `${perSecond(events / fillSeconds)} filled`,
    against: `${fillSeconds.toFixed(1)} s, ${seconds.toFixed(1)} s to the last swap, ${processor.toFixed(1)} s of processor`,
  },
  { what: '  memory of the process at its peak', value: `${peakMb} MB` },
]

async function copyFigures({ storage }: Core, { fillSeconds }: Timed): Promise<Figure[]> {
  const tables = allProjections.flatMap((one) => one.tables.map(({ name }) => name))
  const bare = await bareCopy(storage.pool, tables, tmpdir())
  return [
    {
      what: '  against a bare COPY of the same rows',
      value: `${bare.seconds.toFixed(1)} s`,
      against: `${bare.rows.toLocaleString('en')} rows, filling ${fillSeconds.toFixed(1)} s`,
      ratio: ratio(fillSeconds, bare.seconds),
    },
  ]
}

async function peerFigures(store: Store, core: Core, deps: Deps, events: number, peers: number): Promise<Figure[]> {
  const startedAt = performance.now()
  let filledAt = startedAt
  const onProgress = ({ phase }: FillProgress) => {
    if (phase === 'fill') filledAt = performance.now()
  }
  await rebuild({ ...deps, onProgress }, relations)
  const mine = events / ((filledAt - startedAt) / 1_000)
  const line = (what: string, other: number): Figure => ({
    what: `  relations alone, ${what}, of ${peers}`,
    value: perSecond(other),
    against: `ours ${perSecond(mine)}`,
    ratio: ratio(mine, other),
  })
  return [
    line('a transaction per event', await transactionPerEvent(core, peers)),
    line('emmett-postgresql, its defaults', await peerRebuild(store.bare, peers, 100)),
    line('emmett-postgresql, batches of 1,000', await peerRebuild(store.bare, peers, 1_000)),
  ]
}

/** Rollbacks of a read model, each of which is a swap, while readers read it. */
async function swapFigures(deps: Deps, { app }: Store): Promise<Figure[]> {
  const readers = startReaders(app, { log: deps.log, name: relations.name, table: relations.tables[0]!.name })
  const windows: { from: number; to: number }[] = []
  const swapOften = async () => {
    for (let round = 0; round < SWAPS; round++) {
      let from = 0
      const onProgress = ({ phase }: FillProgress) => {
        if (phase === 'swap') from = performance.now()
      }
      await rollback({ ...deps, onProgress }, relations)
      windows.push({ from, to: performance.now() })
    }
  }
  await swapOften().finally(() => readers.stop())
  const { times, errors } = readers
  const during = times.filter(({ at, ms }) => windows.some(({ from, to }) => at < to && at + ms > from))
  const outside = times.filter((one) => !during.includes(one))
  const longest = windows.map(({ from, to }) =>
    Math.max(0, ...during.filter(({ at, ms }) => at < to && at + ms > from).map((one) => one.ms)),
  )
  const p99 = (reads: readonly { ms: number }[]) =>
    percentile(
      reads.map((read) => read.ms),
      0.99,
    )
  return [
    {
      what: `  reads that met one of ${SWAPS} swaps, p99`,
      value: ms(p99(during)),
      against: `others ${ms(p99(outside))}`,
      ratio: ratio(p99(during), p99(outside)),
    },
    { what: '  the longest read of each swap, p99', value: ms(percentile(longest, 0.99)) },
    { what: '  reads that failed', value: `${errors.length} of ${times.length.toLocaleString('en')}` },
  ]
}

function countOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number above 0, not "${text}".`)
  return Number(text)
}

await runCommand({
  help: HELP,
  options: { peers: { type: 'string' }, fresh: { type: 'boolean' } },
  words: { least: 0, most: 4 },
  async run({ words, values: { peers = '20000', fresh = false } }) {
    const sizes = words.length > 0 ? words.map((word) => countOf('<events>', word)) : SIZES
    const few = countOf('--peers', peers)
    const figures: Figure[] = []
    for (const events of sizes) {
      process.stderr.write(`${events.toLocaleString('en')} events …\n`)
      figures.push(...(await withKeptLog(events, fresh, (store) => measure(store, events, few))))
    }
    const [cpu] = cpus()
    process.stdout.write(`\nNode ${process.version}, ${cpus().length} cores, ${cpu?.model ?? 'unknown'}\n\n`)
    process.stdout.write(`${table(figures)}\n`)
    process.exit(0)
  },
})
