import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { valueOr } from '../../domain/shared/personal.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { createCaughtUp } from '../../projections/engine/caught-up.ts'
import { loadConfig } from '../../server/config.ts'
import { type Core, openCore } from '../../server/core.ts'
import { findRunning } from '../../server/data-dir.ts'
import { openSecrets } from '../../server/secrets.ts'
import { layCluster } from '../support/cluster.ts'
import { eventsOf } from '../support/events-of-log.ts'
import { compareWithTables, foldOfLog } from '../support/fold-of-log.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { inspectable } from './inspector.ts'
import { type Killed, killKept } from './kept/program-kept.ts'
import { freePort, type Program, startProgram } from './program-child.ts'
import { type Acknowledged, liveUntil, pairsOf } from './program-load.ts'
import { signUpMany } from './program-people.ts'

const WORKERS = 8
const SECONDS_BETWEEN_KILLS = 1.5
const CATCH_UP_MS = 120_000
const WAYS: readonly Killed[] = ['parent', 'all', 'memory']
/** So that all of it is soon taken. */
const HEAP_MIB = 512

export type ProgramKillOptions = { kills: number; members?: number; seconds?: number; print?: (text: string) => void }
/**
 * `lost`: acknowledged but absent from the log. `doubled`: in the log more than once. `wrong`: rows that differ from a
 * fold of the log. `restartMs`: from a kill until the program is ready again, where it alone was killed, where its parts were
 * too, and where it had no memory left.
 */
export type ProgramKillResult = {
  kills: number
  buzzes: number
  messages: number
  unclear: number
  lost: number
  doubled: number
  rows: number
  wrong: string[]
  restartMs: Record<Killed, Spread>
}
type Spread = { readonly middle: number; readonly longest: number }

/**
 * Kills the whole program again and again, below what starts it again, while members buzz and write, then compares the
 * log with the answers they got.
 */
export async function programKillDrill(options: ProgramKillOptions): Promise<ProgramKillResult> {
  const dataDir = makeTempDir('letsbuzz-drill-')
  await layCluster(join(dataDir, 'postgres'))
  const inspectedAt = await freePort()
  const { NODE_OPTIONS } = inspectable(inspectedAt)
  const env = { NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=${HEAP_MIB}` }
  const program = await startProgram({ dataDir, port: await freePort(), kept: true, env })
  try {
    const acknowledged: Acknowledged = { buzzes: [], messages: [], unclear: 0 }
    const restarts: Record<Killed, number[]> = { parent: [], all: [], memory: [] }
    await underLoad(program, acknowledged, options, async (kill) => {
      const killed = WAYS[kill % WAYS.length]!
      const awayMs = await killKept(program, killed, inspectedAt)
      restarts[killed].push(awayMs)
      options.print?.(`kill ${kill + 1} of ${options.kills}, ${killed}: ready again after ${Math.round(awayMs)} ms`)
    })
    const restartMs = {
      parent: spread(restarts.parent),
      all: spread(restarts.all),
      memory: spread(restarts.memory),
    }
    return { kills: options.kills, ...(await judge(dataDir, acknowledged)), restartMs }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function underLoad(
  { url }: Program,
  acknowledged: Acknowledged,
  { kills, members = 40, seconds = SECONDS_BETWEEN_KILLS }: ProgramKillOptions,
  killOnce: (kill: number) => Promise<void>,
): Promise<void> {
  const pairs = pairsOf(await signUpMany(url, members))
  let stopped = false
  const load = { stopped: () => stopped, url, acknowledged }
  const share = (worker: number) => pairs.filter((_, at) => at % WORKERS === worker)
  // A worker that is wrongly refused ends the drill at once.
  const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => liveUntil(load, share(worker))))
  try {
    for (let kill = 0; kill < kills; kill++) {
      await Promise.race([pause(200 + Math.random() * seconds * 1_000), working])
      await killOnce(kill)
    }
    await pause(seconds * 1_000)
  } finally {
    stopped = true
  }
  await working
}

async function judge(dataDir: string, acknowledged: Acknowledged) {
  const running = findRunning(dataDir)
  if (!running?.databases || !running.eventstoreUrl) throw new Error('The program does not say where its parts are.')
  const secrets = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  const core = await openCore({ database: running.databases.app, log: running.eventstoreUrl, secrets })
  try {
    const { buzzes, messages, unclear } = acknowledged
    const names = allProjections.map(({ name }) => name)
    const caughtUp = createCaughtUp(core.storage.pool, core.log)
    if (!(await caughtUp(await core.log.head(), names, CATCH_UP_MS)))
      throw new Error('The read models did not catch up.')
    const counts = await countCommands(core)
    const folded = await foldOfLog(core.log, core.codec, allProjections)
    return {
      buzzes: buzzes.length,
      messages: messages.length,
      unclear,
      lost: [...buzzes, ...messages].filter((key) => !counts.has(key)).length,
      doubled: [...counts.values()].filter((count) => count > 1).length,
      rows: [...folded.values()].reduce((sum, table) => sum + table.size, 0),
      wrong: await compareWithTables(core.storage.pool, allProjections, folded),
    }
  } finally {
    await core.close()
  }
}

/** How often each buzz, message and match stands in the log. */
async function countCommands({ log, codec }: Core): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for await (const event of eventsOf(log, codec)) {
    if (event.type === 'Buzzed') count(`${event.from} ${event.to}`)
    if (event.type === 'MessageSent') count(valueOr(event.message, 'erased'))
    if (event.type === 'Matched') count(`match ${[...event.members].sort().join(' ')}`)
  }
  return counts
}

function spread(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round)
  return { middle: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 }
}
