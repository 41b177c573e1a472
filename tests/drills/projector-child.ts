import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createCodec } from '../../eventstore/codec.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { createProjector } from '../../projections/engine/engine.ts'
import { quiet } from '../../services/quiet-pool.ts'
import { bundled } from '../support/programs/bundled.ts'
import { codeOf } from './deploy/code.ts'

/**
 * What a projector needs to know, as JSON in its environment. `masterKey` in hex. `release` of its code, from 1; `table`: the
 * log's own database, read directly. The rest are limits: keys and bytes of rows in memory, rows of an erasure in a piece.
 */
export type ProjectorChild = {
  log: string
  database: pg.ClientConfig
  masterKey: string
  release?: number
  table?: pg.ClientConfig
  keysInMemory?: number
  bytesInMemory?: number
  piece?: number
}
export type ProjectorProcess = { kill(): Promise<void> }

const ME = fileURLToPath(import.meta.url)
const READY = 'projecting'

/** A projector as a process of its own, to be killed without warning. Resolves once it is under way. */
export async function startProjectorProcess(given: ProjectorChild): Promise<ProjectorProcess> {
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, PROJECTOR_CHILD: JSON.stringify(given) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await saysReady(child)
  return {
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function saysReady(child: ChildProcess): Promise<void> {
  const output: string[] = []
  child.stderr?.on('data', (text) => output.push(String(text)))
  for await (const line of createInterface({ input: child.stdout! })) if (line === READY) return
  throw new Error(`The projector did not start: ${output.join('')}`)
}

async function project({ log: connectionString, database, masterKey, release = 1, ...given }: ProjectorChild) {
  const { keysInMemory, ...limits } = given
  // More than there are read models: each holds one in its swap while it needs another to catch up.
  const pool = quiet(new pg.Pool({ ...database, max: 16 }))
  pool.on('error', () => undefined)
  const keys = createKeyRing(pool, Buffer.from(masterKey, 'hex'), keysInMemory)
  const projector = createProjector({
    log: openLog({ connectionString }),
    codec: createCodec(keys),
    keys,
    pool,
    projections: codeOf(release),
    ...limits,
    now: () => new Date(),
    report: (_level, text, fields) => process.stderr.write(`${text} ${JSON.stringify(fields)}\n`),
  })
  await projector.start()
  process.stdout.write(`${READY}\n`)
}

if (process.argv[1] === ME) await project(JSON.parse(process.env.PROJECTOR_CHILD ?? '{}') as ProjectorChild)
