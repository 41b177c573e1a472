import type pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import { startWorker } from '../../../eventstore/start-worker.ts'
import type { Projection } from '../../projection.ts'
import { Overtaken } from '../apply.ts'
import { findTarget, moveCheckpoint, schemaOf, type Target } from '../checkpoints.ts'
import { layoutOf } from '../columns.ts'
import { FoldFailed } from '../poison.ts'
import { tableIn } from '../rows.ts'
import { inTransaction } from '../transaction.ts'
import type { BulkPage } from './bulk.ts'
import type { PartMessage, PartTask } from './part-worker.ts'

/** `module` exports the projection, alone or in a list. */
export type Sharing = {
  readonly parts: number
  readonly masterKey: MasterKey
  readonly database: pg.ClientConfig
  readonly module: string
}

/** The projection cannot be filled in parts; the message states why. */
export class NotShareable extends Error {
  override name = 'NotShareable'
}

export type PartsDeps = {
  readonly pool: pg.Pool
  readonly projection: Projection
  readonly table?: pg.ClientConfig | undefined
  readonly sharing: Sharing
  readonly signal: AbortSignal
  readonly writeEveryMs?: number | undefined
}

/** A part could not continue; no event is to blame, and the same command resumes where it was. */
export class PartLost extends Error {
  override name = 'PartLost'
}

const WORKER = new URL('./part-worker.ts', import.meta.url)

export function checkShareable({ name, shares }: Projection, table: unknown): void {
  if (!shares)
    throw new NotShareable(`${name} cannot be filled in parts: events of different streams change the same row.`)
  if (!table) throw new NotShareable(`${name} cannot be filled in parts: the log is not the embedded one.`)
}

/**
 * Fills new tables with so many workers, each with its own streams and its own position in `app.projection_part`; one
 * that was killed resumes at its position. The checkpoint moves when all have reached the head that they set out for.
 */
export async function fillInParts(
  deps: PartsDeps,
  target: Target,
  { epoch, head }: { epoch: string | null; head: Position },
  onPage: (page: BulkPage) => void,
): Promise<Target> {
  const { pool, projection, table, sharing, signal, writeEveryMs } = deps
  checkShareable(projection, table)
  if (target.position !== START) return target
  const positions = await positionsOf(pool, target, sharing.parts)
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const { name, version } = projection
  try {
    await Promise.all(
      positions.map((after, index) => {
        const share = { index, of: positions.length, everywhere: projection.shares!.everywhere }
        const { database, module, masterKey } = sharing
        const own = { database, module, masterKey, table: table!, name, version, share, after, to: head }
        return runPart({ ...own, target, schema: schemaOf(target), writeEveryMs }, until, onPage)
      }),
    )
  } finally {
    ended.abort()
  }
  await inTransaction(pool, async (db) => {
    if (!(await moveCheckpoint(db, target, head, epoch))) throw new Overtaken(`${name} moved`)
    await db.query('delete from app.projection_part where name = $1 and version = $2 and generation = $3', idOf(target))
  })
  return (await findTarget(pool, target)) ?? target
}

const idOf = ({ name, version, generation }: Target) => [name, version, generation]

/** A filling that was begun in parts resumes in as many. */
async function positionsOf(pool: pg.Pool, target: Target, parts: number): Promise<Position[]> {
  await pool.query(
    `insert into app.projection_part (name, version, generation, part, parts, position)
     select $1, $2, $3, part, $4, $5 from generate_series(0, $4 - 1) part
     where not exists (select from app.projection_part where name = $1 and version = $2 and generation = $3)`,
    [...idOf(target), parts, START],
  )
  const { rows } = await pool.query<{ position: Position }>(
    `select position from app.projection_part where name = $1 and version = $2 and generation = $3 order by part`,
    idOf(target),
  )
  return rows.map(({ position }) => position)
}

/** Empties tables that were begun in parts, whose rows show no single position of the log. */
export async function giveUpParts(pool: pg.Pool, projection: Projection, target: Target): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      'delete from app.projection_part where name = $1 and version = $2 and generation = $3',
      idOf(target),
    )
    if (rowCount === 0) return
    for (const table of projection.tables) await db.query(`truncate ${tableIn(schemaOf(target), layoutOf(table))}`)
  })
}

const lost = (why: string) =>
  new PartLost(`A part of the filling stopped: ${why}. The same command resumes from there.`)

function runPart(task: PartTask, signal: AbortSignal, onPage: (page: BulkPage) => void): Promise<void> {
  const worker = startWorker(WORKER, task)
  const end = () => worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  return new Promise<void>((resolve, reject) => {
    worker.on('message', (news: PartMessage) => {
      if ('passed' in news) onPage({ events: [], to: news.to, passed: news.passed / task.share.of })
      else if ('failed' in news) reject(news.poison ? new FoldFailed(news.failed) : lost(news.failed))
      else resolve()
    })
    worker.once('error', ({ message }) => reject(lost(message)))
    worker.once('exit', () => reject(signal.aborted ? signal.reason : lost('its worker ended')))
  }).finally(async () => {
    signal.removeEventListener('abort', end)
    await end()
  })
}
