import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { NOTICED } from '../../eventstore/postgres/noticed.ts'
import { keepRunning, pause } from '../../eventstore/retry.ts'

/** A process that stands still for longer loses its leases; one that dies, or is cut off, in the next round of another. */
const LOST_AFTER = '5 seconds'
const ROUND_MS = 1_000
/** A question without an answer for so long has its connection end, and the next round another: the leases are lost by then. */
const ANSWER_MS = 5_000
const CONNECTION = {
  application_name: 'projector',
  connectionTimeoutMillis: ANSWER_MS,
  query_timeout: ANSWER_MS,
  keepAlive: true,
} as const
/** The server ends a question before, which would wait for a lock on. */
const AT_SERVER = `${NOTICED}; set statement_timeout = 4000`

/** How old what is written may be of when a read model was last had by a process. */
const SEEN_EVERY = '1 minute'
/** What a process has; of one of the release before it is known in part. */
const HAS = 'coalesce(has, wants || fills)'

/**
 * This process is there, has these read models, wants to feed some of them, and fills some; those that are not there any more are
 * forgotten. Once in a while it is written when read models were last had by one that is there.
 */
const REGISTER = `with seen as (insert into app.projector (process, pid, started, wants, behind, fills, has, seen_at)
    select $1, pid, backend_start, $2, $3, $4, $5, now() from pg_stat_activity where pid = pg_backend_pid()
    on conflict (process) do update set pid = excluded.pid, started = excluded.started, wants = excluded.wants,
      behind = excluded.behind, fills = excluded.fills, has = excluded.has, seen_at = now()),
  had as (select unnest($5::text[]) as name
    union select unnest(${HAS}) from app.projector where seen_at >= now() - interval '${LOST_AFTER}'),
  noted as (insert into app.projection_seen (name, seen_at)
    select name, now() from had left join app.projection_seen s using (name)
    where s.name is null or s.seen_at < now() - interval '${SEEN_EVERY}' order by name
    on conflict (name) do update set seen_at = excluded.seen_at)
  delete from app.projector p where process <> $1 and (seen_at < now() - interval '${LOST_AFTER}' or not exists
    (select from pg_stat_activity a
      where a.pid = p.pid and a.backend_start = p.started and a.datname = current_database()))`

/**
 * One that keeps up takes and keeps all that it wants. One that is behind keeps what nobody wants who keeps up, and of the
 * others as many as are its share; the rest is given back, and left to them.
 */
const SHARE = `with others as (select unnest(wants) as name from app.projector where process <> $1 and not behind),
  share as (select case when $3 then ceil(cardinality($2::text[])::numeric / count(*))
      else cardinality($2::text[]) end::integer as most
    from app.projector where wants && $2 or process = $1),
  mine as (select name, name in (select name from others) as shared from app.projection_lease
    where process = $1 and name = any($2)),
  kept as (select name from (select name, shared, row_number() over (order by shared, name) as place from mine) m
    where not shared or place <= (select most from share)),
  given as (delete from app.projection_lease where process = $1 and name not in (select name from kept)),
  free as (select name, name in (select name from others) as shared from unnest($2::text[]) w(name)
    where name not in (select name from app.projection_lease)),
  taken as (insert into app.projection_lease (name, process)
    select name, $1 from (select name, shared, row_number() over (order by shared, name) as place from free) f
    where not shared or place <= (select most from share) - (select count(*) from kept)
    on conflict do nothing returning name)
  select array(select name from kept union all select name from taken) as names,
    (select count(*) from app.projector)::integer as processes`

/** When a process that has them was last there, to a minute; of read models that one had since this is written. */
export async function listSeen(db: Pick<pg.ClientBase, 'query'>): Promise<Map<string, Date>> {
  const { rows } = await db.query<{ name: string; at: Date }>('select name, seen_at as at from app.projection_seen')
  return new Map(rows.map(({ name, at }) => [name, at]))
}

/** The process that feeds a read model; null where none does that is there. */
export async function feederOf(db: Pick<pg.ClientBase, 'query'>, name: string): Promise<string | null> {
  const { rows } = await db.query<{ process: string }>(
    `select process from app.projection_lease join app.projector using (process)
     where name = $1 and seen_at >= now() - interval '${LOST_AFTER}'`,
    [name],
  )
  return rows[0]?.process ?? null
}

/** The read models of which a process that is there fills tables, also between two tries. */
export async function listFilled(db: Pick<pg.ClientBase, 'query'>): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select unnest(fills) as name from app.projector where seen_at >= now() - interval '${LOST_AFTER}'`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** The read models that a process that is there has, also one that can do nothing for them at the moment. */
export async function listFollowed(db: Pick<pg.ClientBase, 'query'>): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select unnest(${HAS}) as name from app.projector where seen_at >= now() - interval '${LOST_AFTER}'`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** `behind`: others may have a part. `unfit`: it cannot feed anything, and leaves all to others. */
export type Condition = 'keeps up' | 'behind' | 'unfit'

export type LeaseEvents = {
  /** A lease was taken or lost. */
  readonly change: () => void
  /** Why it had to leave Postgres; it comes again. */
  readonly error: (error: unknown) => void
  /** How this process is; asked where there are others. */
  readonly condition: () => Promise<Condition>
}

type Lease = { readonly name: string; readonly lost: AbortController }

/**
 * Shares read models among the processes that can feed them: one does all the work for as long as it keeps up. What keeps rows
 * right is the checkpoint alone (compare and swap): two that take a lease for theirs cost work, and nothing else.
 */
export class Leases {
  private readonly process = randomUUID()
  private readonly wanted = new Set<string>()
  private readonly filled = new Set<string>()
  private readonly leases = new Map<string, Lease>()
  private wake = new AbortController()

  constructor(
    private readonly config: pg.ClientConfig,
    /** All read models of this process. */
    private readonly names: readonly string[],
    private readonly on: LeaseEvents,
  ) {}

  /** This process asks for the lease in each round. */
  want(name: string): void {
    if (this.wanted.has(name)) return
    this.wanted.add(name)
    this.wake.abort()
  }

  /** The caller has stopped feeding it. */
  giveBack(name: string): void {
    if (this.wanted.delete(name)) this.wake.abort()
  }

  /** Whether this process fills tables of it. */
  fills(name: string, does: boolean): void {
    if (this.filled.has(name) === does) return
    if (does) this.filled.add(name)
    else this.filled.delete(name)
    this.wake.abort()
  }

  /** Aborts when the lease is lost; undefined without one. */
  of(name: string): AbortSignal | undefined {
    return this.leases.get(name)?.lost.signal
  }

  /** Takes part until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const work = (gotOn: () => void) => this.takePart(signal, gotOn).finally(() => this.keep([]))
    await keepRunning(signal, work, (error) => this.on.error(error))
  }

  private async takePart(signal: AbortSignal, onRound: () => void): Promise<void> {
    const client = new pg.Client({ ...this.config, ...CONNECTION })
    const broken = new AbortController()
    client.on('error', () => broken.abort())
    let alone = true
    try {
      await client.connect()
      await client.query(AT_SERVER)
      while (!signal.aborted && !broken.signal.aborted) {
        this.wake = new AbortController()
        const condition: Condition = alone ? 'keeps up' : await this.on.condition()
        const given: unknown[] = [this.process, condition === 'unfit' ? [] : [...this.wanted], condition !== 'keeps up']
        // By name, so that Postgres plans them once for a connection, and not each second.
        await client.query({ name: 'register', text: REGISTER, values: [...given, [...this.filled], this.names] })
        const share = { name: 'share', text: SHARE, values: given }
        const shared = await client.query<{ names: string[]; processes: number }>(share)
        const { names, processes } = shared.rows[0]!
        this.keep(names)
        alone = processes === 1
        onRound()
        await pause(ROUND_MS, signal, broken.signal, this.wake.signal)
      }
      if (signal.aborted) await client.query('delete from app.projector where process = $1', [this.process])
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  private keep(names: readonly string[]): void {
    const gone = [...this.leases.values()].filter(({ name }) => !names.includes(name))
    const fresh = names.filter((name) => !this.leases.has(name))
    for (const { name, lost } of gone) {
      this.leases.delete(name)
      lost.abort()
    }
    for (const name of fresh) this.leases.set(name, { name, lost: new AbortController() })
    if (gone.length + fresh.length > 0) this.on.change()
  }
}
