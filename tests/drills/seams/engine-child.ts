import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { openLog } from '../../../eventstore/log.ts'
import { CheckpointConflict } from '../../../projections/engine/apply.ts'
import { rollback } from '../../../projections/engine/care/tables-by-hand.ts'
import { createProjector } from '../../../projections/engine/engine.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { until } from '../../support/until.ts'
import { drilled } from '../projector-load.ts'
import { DIED_AT, type Seam } from './hook.ts'
import { hookedBy } from './with-hook.ts'

/**
 * `masterKey` in hex; `table`: the log's own database. `rebuild` names read models to make anew, one after the other,
 * `rollback` one to bring the earlier tables of back; without either all are kept going.
 */
export type EngineChild = {
  log: string
  table: pg.ClientConfig
  database: pg.ClientConfig
  masterKey: string
  rebuild?: readonly string[]
  rollback?: string
}
export type EngineProcess = {
  /** Where it died, or null when it ended by itself. */
  ended: Promise<string | null>
  /** What it wrote to stderr so far. */
  output(): string
  kill(): Promise<void>
}

const ME = fileURLToPath(import.meta.url)
const TASK = 'DRILL_ENGINE'
/** Exports what is rebuilt. */
const LAST_WORD_MS = 10_000

/** A projector, a rebuild or a rollback, in a process of its own that dies at a seam. */
export function startEngine(given: EngineChild, seam?: Seam): EngineProcess {
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, ...(seam && hookedBy({ seam })), [TASK]: JSON.stringify(given) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.on('data', (text) => {
    words += String(text)
  })
  const output = () => words
  return { ended: endOf(child, output), output, kill: () => killed(child) }
}

async function endOf(child: ChildProcess, output: () => string): Promise<string | null> {
  // The pipe may stay open behind it: the loader has a helper of its own.
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code === 0) return null
  if (signal !== 'SIGKILL') throw new Error(`The engine ended with ${signal ?? code}: ${output()}`)
  await until('its last word is heard', () => output().includes(DIED_AT), LAST_WORD_MS).catch(() => undefined)
  return output()
    .slice(output().lastIndexOf(DIED_AT) + DIED_AT.length)
    .trim()
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function work({ log: connectionString, table, database, masterKey, ...what }: EngineChild): Promise<void> {
  // More than there are read models: each holds one in its swap while it needs another to catch up.
  const pool = new pg.Pool({ ...database, max: 16 })
  pool.on('error', () => undefined)
  const keys = createKeyRing(pool, Buffer.from(masterKey, 'hex'))
  const common = { log: openLog({ connectionString }), codec: createCodec(keys), keys, pool }
  const names = what.rebuild ?? (what.rollback === undefined ? [] : [what.rollback])
  if (names.length === 0) {
    const report = (_level: string, text: string, fields: object) =>
      void process.stderr.write(`${text} ${JSON.stringify(fields)}\n`)
    return createProjector({ ...common, projections: drilled, now: () => new Date(), report }).start()
  }
  const { signal } = new AbortController()
  const make = what.rollback ? rollback : rebuild
  for (const name of names) {
    const projection = drilled.find((one) => one.name === name)!
    await make({ ...common, table, signal, writeEveryMs: -1 }, projection).catch((error: unknown) => {
      // The projector beside it was filling the same tables.
      if (!(error instanceof CheckpointConflict)) throw error
    })
  }
  process.exit(0)
}

const task = process.env[TASK]
if (task && process.argv[1] === ME) await work(JSON.parse(task) as EngineChild)
