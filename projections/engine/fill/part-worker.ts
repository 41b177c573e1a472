import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { type TableShare, tablePages } from '../../../eventstore/log-table.ts'
import type { Projection } from '../../projection.ts'
import { Overtaken } from '../apply.ts'
import type { Target } from '../checkpoints.ts'
import { isPoison, reasonOf } from '../poison.ts'
import { fillInBulk } from './bulk.ts'

export type PartTask = {
  readonly database: pg.ClientConfig
  readonly table: pg.ClientConfig
  readonly masterKey: MasterKey
  readonly module: string
  readonly name: string
  readonly version: number
  readonly target: Target
  readonly schema: string
  readonly share: TableShare
  readonly after: Position
  readonly to: Position
  readonly writeEveryMs?: number | undefined
}
export type PartMessage =
  | { readonly passed: number; readonly to: Position }
  /** `poison`: an event is to blame, and trying again cannot help. */
  | { readonly failed: string; readonly poison: boolean }
  | { readonly done: true }

const MOVE = `update app.projection_part set position = $5
  where name = $1 and version = $2 and generation = $3 and part = $4 and position = $6`

async function work(task: PartTask): Promise<void> {
  const { target, share, after, to, schema, table } = task
  const projection = await projectionOf(task)
  const pool = new pg.Pool({ ...task.database, max: 2 })
  // A connection that dies while nobody uses it ends nothing; the next question finds out.
  pool.on('error', () => undefined)
  const keys = createKeyRing(pool, task.masterKey)
  let at = after
  const note = async (db: pg.ClientBase, next: Position) => {
    const { rowCount } = await db.query(MOVE, [target.name, target.version, target.generation, share.index, next, at])
    if (rowCount !== 1) throw new Overtaken(`part ${share.index} of ${target.name} moved`)
    at = next
  }
  const onPage = ({ passed, to }: { passed: number; to: Position }) => send({ passed, to })
  const { signal } = new AbortController()
  const deps = { pool, codec: createCodec(keys), keys, projection, schema, signal, note, onPage }
  try {
    const pages = tablePages(table, { after, to, types: Object.keys(projection.when), share })
    await fillInBulk({ ...deps, empty: after === START, writeEveryMs: task.writeEveryMs }, pages)
  } finally {
    await pool.end()
  }
}

async function projectionOf({ module, name, version }: PartTask): Promise<Projection> {
  const exported = Object.values((await import(module)) as Record<string, Projection | readonly Projection[]>).flat()
  const found = exported.find((one) => (one as Projection).name === name && (one as Projection).version === version)
  if (!found) throw new Error(`${module} exports no ${name} of version ${version}`)
  return found as Projection
}

const send = (news: PartMessage) => parentPort?.postMessage(news)
work(workerData as PartTask).then(
  () => send({ done: true }),
  (error: unknown) => send({ failed: reasonOf(error), poison: isPoison(error) }),
)
