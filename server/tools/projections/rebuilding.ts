import { fromPosition } from '../../../eventstore/position.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { PoisonEvent } from '../../../projections/engine/batch-processor.ts'
import {
  dropUnread,
  findFilled,
  planRebuild,
  rollback,
  swapFilled,
} from '../../../projections/engine/care/tables-by-hand.ts'
import { touchedBy } from '../../../projections/engine/care/touched-by.ts'
import { dropOther } from '../../../projections/engine/care/unknown-tables.ts'
import type { RebuildVerdict } from '../../../projections/engine/care/verify.ts'
import { findLive, schemaOf, type Target } from '../../../projections/engine/checkpoints.ts'
import type { FillProgress } from '../../../projections/engine/fill/meter.ts'
import { quarantined, TooMuchPoison } from '../../../projections/engine/quarantine.ts'
import { type RebuildDeps, type Rebuilt, rebuild } from '../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../projections/projection.ts'
import { type ProgressLine, progressBar } from '../cli/support/progress.ts'
import { eventsText, explainedLines, verdictLines } from './lines.ts'
import { projectionNamed, requireNames, type Tools } from './tools.ts'

export type RebuildWords = { readonly dryRun: boolean; readonly swap: boolean }
type Print = (line: string) => void

const WHILE: Partial<Record<FillProgress['phase'], string>> = {
  index: 'Making indexes',
  verify: 'Holding the new rows against live',
  swap: 'Swapping',
}

/** How much of the way is behind, from 0 to 1, by positions in the log. */
function shareDone({ from, position, head }: FillProgress): number {
  const [start, here, end] = [from, position, head].map((one) => Number(fromPosition(one).commit)) as [
    number,
    number,
    number,
  ]
  return end > start ? Math.min(1, Math.max(0, (here - start) / (end - start))) : 1
}

/** A bar for the filling, whose rate counts from here on, and a line for each step after it. */
function watch(name: string): { onProgress: (progress: FillProgress) => void; end: () => void } {
  const filling = progressBar({ what: name, total: 0, unit: 'events' })
  let bar: ProgressLine | undefined
  let phase: FillProgress['phase'] | undefined
  const end = () => {
    bar?.end()
    bar = undefined
  }
  return {
    end,
    onProgress(progress) {
      if (progress.phase === 'fill') {
        // Only what is worth a bar gets one: what is caught up with between the steps passes in silence.
        bar ??= phase === undefined ? filling : undefined
        const share = shareDone(progress)
        bar?.at(progress.done, share > 0 ? Math.round(progress.done / share) : progress.done)
      } else if (progress.phase !== phase) {
        end()
        process.stderr.write(`${WHILE[progress.phase]} …\n`)
      }
      if (progress.phase !== 'fill') phase = progress.phase
    },
  }
}

async function watched(
  tools: Tools,
  { name }: Projection,
  work: (deps: RebuildDeps) => Promise<Rebuilt>,
): Promise<Rebuilt> {
  const { core, table, signal } = tools
  const { log, codec, keys, storage } = core
  const { onProgress, end } = watch(name)
  try {
    return await work({ log, codec, keys, pool: storage.pool, signal, onProgress, table })
  } finally {
    end()
  }
}

/** The rows that differ, and for each the events that touched it. */
async function printVerdict(
  tools: Tools,
  projection: Projection,
  verdict: RebuildVerdict | null,
  print: Print,
): Promise<void> {
  if (!verdict) return print('Not compared with live: none is complete at the same position of the same log.')
  for (const line of verdictLines(verdict)) print(line)
  const differing = verdict.tables.flatMap((one) => one.differing)
  if (differing.length === 0) return
  const rows = differing.map(({ table, key }) => ({ table: projection.tables.find((one) => one.name === table)!, key }))
  const deps = { log: tools.core.log, codec: tools.core.codec, table: tools.table, signal: tools.signal }
  print('What touched them, by the log:')
  for (const explained of await touchedBy(deps, projection, rows, verdict.position))
    for (const line of explainedLines(explained)) print(`  ${line}`)
}

const SWAP_LATER = (name: string) =>
  `Readers of ${name} see what they saw. "swap ${name}" takes the new tables, "drop ${name}" removes them.`

/** Ends with 1 when rows differ that should not. */
export async function rebuildOne(
  tools: Tools,
  projection: Projection,
  words: RebuildWords,
  print: Print,
): Promise<number> {
  const { name } = projection
  if (words.dryRun) return plan(tools, projection, print)
  const { swap } = words
  const done = await watched(tools, projection, (deps) => rebuild(deps, projection, { swap }))
  await printVerdict(tools, projection, done.verdict, print)
  if (done.swapped) print(`Readers of ${name} see ${done.schema}.`)
  else print(SWAP_LATER(name))
  return done.swapped || !swap ? 0 : 1
}

async function plan(tools: Tools, projection: Projection, print: Print): Promise<number> {
  const { core, table } = tools
  const { does, why, live, begun, goes } = await planRebuild({ pool: core.storage.pool, log: core.log }, projection)
  print(`${projection.name}: ${does}${why ? `: ${why}` : ''}`)
  if (live) print(`  readers see ${schemaOf(live)} at ${live.position}`)
  if (begun) print(`  ${schemaOf(begun)} stands at ${begun.position}, the log ends at ${await core.log.head()}`)
  if (goes.length > 0) print(`  goes first: ${goes.join(', ')}`)
  print(`  reads ${table ? "the log's table" : 'through the client'}`)
  return why ? 1 : 0
}

/** Fills beside live when nothing is filled yet, without what live is without, compares, and leaves everything as it was. */
export async function verifyOne(tools: Tools, projection: Projection, print: Print): Promise<number> {
  const { pool } = tools.core.storage
  const left = await findFilled(pool, projection)
  const work = (deps: RebuildDeps) => rebuild(deps, projection, { swap: false, poison: 'as-live' })
  const done = await watched(tools, projection, work).catch(async (error: unknown) => {
    const isOver = error instanceof PoisonEvent || error instanceof TooMuchPoison
    if (isOver && !left) await dropUnread(pool, projection.name, 'filling')
    throw error
  })
  await printVerdict(tools, projection, done.verdict, print)
  if (!left) await dropUnread(pool, projection.name, 'filling')
  return done.verdict?.same === false ? 1 : 0
}

export async function swapOne(tools: Tools, projection: Projection, print: Print): Promise<number> {
  const done = await watched(tools, projection, (deps) => swapFilled(deps, projection))
  await printVerdict(tools, projection, done.verdict, print)
  print(`Readers of ${projection.name} see ${done.schema}.`)
  return 0
}

const newerUndoes = ({ version }: Target) =>
  `Stop every process of newer code that still runs: it fills version ${version} again and swaps it in, often within a second.`

export async function rollbackOne(tools: Tools, projection: Projection, print: Print): Promise<number> {
  const { pool } = tools.core.storage
  const before = await findLive(pool, projection.name)
  const done = await watched(tools, projection, (deps) => rollback(deps, projection))
  await printVerdict(tools, projection, done.verdict, print)
  print(`Readers of ${projection.name} see ${done.schema} again.`)
  if (before && before.version > done.version) print(newerUndoes(before))
  const { events } = await quarantined(pool, done)
  if (events > 0) print(`${eventsText(events)} in quarantine: see "status ${projection.name}".`)
  return 0
}

/** Of a read model that this release does not have, the tables that readers see go too. */
export async function dropTables(tools: Tools, names: readonly string[], print: Print): Promise<number> {
  await requireNames(tools, names)
  const { pool } = tools.core.storage
  for (const name of names) {
    const gone = projectionNamed(name) ? await dropUnread(pool, name) : await dropOther(pool, name, allProjections)
    print(gone.length > 0 ? `Removed ${gone.join(', ')}.` : `${name} has no tables but those that readers see.`)
  }
  return 0
}
