import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SnapshotForm } from '../../domain/shared/decider.ts'
import type { StoredEvent } from '../events.ts'
import type { Log } from '../log.ts'
import type { Folded } from '../state-cache.ts'
import { CommandIndex } from './command-index.ts'

/** What a stream was folded to at a revision. `anchor` names the event of that revision. */
export type Snapshot<S> = {
  readonly state: S
  readonly revision: number
  readonly anchor: string
  readonly commands: CommandIndex
}

/**
 * Rows beside the log that spare a long stream its fold (decision 0025). Without one, or without any, only time is lost:
 * nothing here throws but what the log throws, and nobody waits for a row to be written.
 */
export type Snapshots = {
  /** How many events apart two snapshots of a stream are. */
  readonly every: number
  /** That of this log, by this version of the fold; null when there is none that can be used. */
  find<S>(stream: string, form: SnapshotForm<S>, signal?: AbortSignal): Promise<Snapshot<S> | null>
  /** Has the row of a stream written soon, after whoever asked has gone on. */
  offer<S>(stream: string, form: SnapshotForm<S>, folded: Folded<S>): void
  /** Removes a snapshot that does not fit the log. */
  remove(stream: string, anchor: string): Promise<void>
  /** Writes nothing any more of streams that name the subject. */
  forget(subject: string): void
  /** Resolves when what was offered is written or given up. */
  settled(): Promise<void>
  /** Resolves when nothing is written any more; what was offered and not begun is given up. */
  close(): Promise<void>
}

export const noSnapshots: Snapshots = {
  every: Number.POSITIVE_INFINITY,
  find: async () => null,
  offer: () => undefined,
  remove: async () => undefined,
  forget: () => undefined,
  settled: async () => undefined,
  close: async () => undefined,
}

/** Names an event as it is in this history of the log: in another one it has another position or time. */
export const anchorOf = ({ id, position, recordedAt }: StoredEvent): string =>
  createHash('sha256').update(`${id} ${position} ${recordedAt.getTime()}`).digest('base64url')

type Deps = {
  readonly pool: pg.Pool
  readonly log: Pick<Log, 'id' | 'read'>
  readonly every?: number
  /** Gets why one could not be read or written. */
  readonly onFailed?: ((error: unknown) => void) | undefined
}

const EVERY = 200
/** One waits for each stream, and for no more streams than these. */
const WAITING_MOST = 100

const FIND = `select revision, anchor, state, commands from app.snapshot
  where stream = $1 and log_id = $2 and version = $3`
const REMOVE = 'delete from app.snapshot where stream = $1 and anchor = $2'
// The lock on the keys has an erasure wait for this statement, or this statement see that the key is destroyed.
const WRITE = `with owner as materialized (select wrapped from app.subject_key where subject = any($8) for share)
  insert into app.snapshot as old (stream, log_id, version, revision, anchor, state, commands)
  select $1, $2, $3, $4, $5, $6, $7 where not exists (select from owner where wrapped = '')
  on conflict (stream) do update set log_id = excluded.log_id, version = excluded.version,
    revision = excluded.revision, anchor = excluded.anchor, state = excluded.state, commands = excluded.commands
  where (old.log_id, old.version) <> (excluded.log_id, excluded.version)
    or abs(old.revision - excluded.revision) >= $9`

type Row = { revision: number; anchor: string; state: unknown; commands: Buffer }
type Offer = { readonly version: number; readonly folded: Folded<unknown>; readonly pack: () => unknown }

/** The table is `app.snapshot`. */
export function createSnapshots(deps: Deps): Snapshots {
  return new PostgresSnapshots(deps)
}

class PostgresSnapshots implements Snapshots {
  private readonly waiting = new Map<string, Offer>()
  private readonly closing = new AbortController()
  private working: Promise<void> | null = null
  readonly every: number

  constructor(private readonly deps: Deps) {
    this.every = deps.every ?? EVERY
  }

  async find<S>(stream: string, form: SnapshotForm<S>, signal?: AbortSignal): Promise<Snapshot<S> | null> {
    // A log that does not answer this does not answer the load either.
    const values = [stream, await this.deps.log.id(signal), form.version]
    try {
      const [row] = (await this.deps.pool.query<Row>({ name: 'find-snapshot', text: FIND, values })).rows
      return row ? await this.opened(stream, form, row) : null
    } catch (error) {
      this.fail(error)
      return null
    }
  }

  offer<S>(stream: string, { version, pack }: SnapshotForm<S>, folded: Folded<S>): void {
    if (this.closing.signal.aborted || (this.waiting.size >= WAITING_MOST && !this.waiting.has(stream))) return
    this.waiting.set(stream, { version, folded, pack: () => pack(folded.state) })
    this.working ??= this.work()
  }

  async remove(stream: string, anchor: string): Promise<void> {
    await this.deps.pool.query(REMOVE, [stream, anchor]).catch((error: unknown) => this.fail(error))
  }

  forget(subject: string): void {
    for (const stream of this.waiting.keys()) if (stream.includes(subject)) this.waiting.delete(stream)
  }

  async settled(): Promise<void> {
    await this.working
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.waiting.clear()
    await this.settled()
  }

  private async opened<S>(stream: string, form: SnapshotForm<S>, row: Row): Promise<Snapshot<S> | null> {
    const { revision, anchor } = row
    try {
      const commands = CommandIndex.fromBytes(row.commands, revision + 1)
      return { revision, anchor, state: form.unpack(row.state), commands }
    } catch (error) {
      this.fail(error)
      await this.remove(stream, anchor)
      return null
    }
  }

  private async work(): Promise<void> {
    for (;;) {
      // After whoever offered has got its answer.
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = this.waiting
      if (!next) break
      this.waiting.delete(next[0])
      await this.write(...next).catch((error: unknown) => this.fail(error))
    }
    this.working = null
  }

  private async write(stream: string, { version, folded, pack }: Offer): Promise<void> {
    const { pool, log } = this.deps
    const { revision, older } = folded
    const { signal } = this.closing
    const [last] = await log.read(stream, revision, signal, 1)
    if (last?.revision !== revision) return
    const logId = await log.id(signal)
    const row = [stream, logId, version, revision, anchorOf(last), JSON.stringify(pack()), older.toBytes()]
    await pool.query({ name: 'write-snapshot', text: WRITE, values: [...row, subjectsOf(stream), this.every] })
  }

  private fail(error: unknown): void {
    if (!this.closing.signal.aborted) this.deps.onFailed?.(error)
  }
}

/** Whose id the stream's name has. */
const subjectsOf = (stream: string) => stream.slice(stream.indexOf('-') + 1).split('_')
