import type { Selectable } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type AppDb, inTransaction } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { addJob, removeJob } from '../jobs/add-job.ts'
import { randomId } from '../random-id.ts'
import type { ExportFiles } from './files.ts'
import { removeReplaced } from './replaced.ts'
import { EXPORT_MS } from './work.ts'

/** A copy of a member's own data: `done` of `total` steps are behind it while it is prepared. */
export type DataExport = {
  readonly id: string
  readonly member: MemberId
  readonly state: 'preparing' | 'ready' | 'failed'
  readonly askedAt: Date
  readonly done: number
  readonly total: number
  /** Of a ready one, as `expiresAt`: from then on it is gone. */
  readonly bytes: number | null
  readonly expiresAt: Date | null
}

/** What members ask of their exports. Another's id, an unknown one and one that is over are alike: null. */
export type Exports = {
  /** The one that is being prepared, or a new one. How often is the caller's to decide. */
  ask(member: MemberId): Promise<DataExport>
  find(member: MemberId, id: string): Promise<DataExport | null>
  /** The member's last one. */
  findLatest(member: MemberId): Promise<DataExport | null>
  open(member: MemberId, id: string): Promise<{ bytes: number; body: ReadableStream<Uint8Array> } | null>
  /** With the bytes; whoever prepares one finds nothing to finish. Answers how many there were. */
  removeAll(member: MemberId): Promise<number>
  /**
   * Begins exports anew that these members asked for before a moment, under other ids: somebody in them was erased
   * then. Answers how many there were.
   */
  prepareAgain(members: readonly MemberId[], before: Date): Promise<number>
  /** Removes what is over or replaced, and files that no row knows. */
  sweep(): Promise<number>
}

/** Postgres takes 65,535 values in a statement, and a member may have had to do with more others. */
const MEMBERS_AT_ONCE = 1_000

type Row = Selectable<AppSchema['data_export']>
type Deps = { db: AppDb; now: Clock; files: ExportFiles }

export function createExports(deps: Deps): Exports {
  const { db, now, files } = deps
  const own = (member: MemberId) => db.selectFrom('data_export').selectAll().where('member', '=', member)
  const unexpired = (row: Row | undefined) => (row && !isOver(row, now()) ? toExport(row) : null)
  const find = async (member: MemberId, id: string) =>
    unexpired(await own(member).where('id', '=', id).executeTakeFirst())

  return {
    find,
    async ask(member) {
      const at = now()
      const asked = await inTransaction(db, async (tx) => {
        const row = await tx
          .insertInto('data_export')
          .values({ id: randomId(), member, state: 'preparing', asked_at: at, due_at: at })
          .onConflict((conflict) => conflict.column('member').where('state', '=', 'preparing').doUpdateSet({ member }))
          .returningAll()
          .executeTakeFirstOrThrow()
        await addJob(tx, 'export', { export: row.id })
        return row
      })
      return toExport(asked)
    },
    async findLatest(member) {
      return unexpired(await own(member).orderBy('asked_at', 'desc').limit(1).executeTakeFirst())
    },
    async open(member, id) {
      const found = await find(member, id)
      return found?.state === 'ready' ? files.open(id) : null
    },
    async removeAll(member) {
      const rows = await db.deleteFrom('data_export').where('member', '=', member).returning('id').execute()
      for (const { id } of rows) {
        await removeJob(db, 'export', { export: id })
        await files.remove(id)
      }
      return rows.length
    },
    prepareAgain: (members, before) => prepareAgain(deps, members, before),
    sweep: () => sweep(deps),
  }
}

async function prepareAgain(deps: Deps, members: readonly MemberId[], before: Date): Promise<number> {
  let count = 0
  for (let from = 0; from < members.length; from += MEMBERS_AT_ONCE)
    count += await prepareSome(deps, members.slice(from, from + MEMBERS_AT_ONCE), before)
  return count
}

async function prepareSome({ db, now, files }: Deps, members: readonly MemberId[], before: Date): Promise<number> {
  const at = now()
  const old = await db.transaction().execute(async (tx) => {
    const rows = await tx
      .deleteFrom('data_export')
      .where('member', 'in', members)
      .where('asked_at', '<', before)
      .where('state', '<>', 'failed')
      .returning(['id', 'member'])
      .execute()
    const fresh = [...new Set(rows.map(({ member }) => member))].map((member) => ({
      id: randomId(),
      member,
      state: 'preparing',
      asked_at: at,
      due_at: at,
    }))
    if (fresh.length > 0) {
      const begun = tx.insertInto('data_export').values(fresh)
      const added = await begun
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
      for (const { id } of added) await addJob(tx, 'export', { export: id })
    }
    return rows
  })
  for (const { id } of old) await files.remove(id)
  return old.length
}

/** The bytes go first: after an interruption the row is swept again. */
async function sweep({ db, now, files }: Deps): Promise<number> {
  const at = now()
  const old = new Date(at.getTime() - EXPORT_MS)
  const over = await db
    .selectFrom('data_export')
    .select('id')
    .where((where) =>
      where.or([
        where('expires_at', '<=', at),
        where.and([where('state', '=', 'failed'), where('asked_at', '<', old)]),
      ]),
    )
    .execute()
  for (const { id } of over) {
    await files.remove(id)
    await db.deleteFrom('data_export').where('id', '=', id).execute()
  }
  const replaced = await removeReplaced(db, files)
  let strays = 0
  for (const id of await files.olderThan(new Date(at.getTime() - hours(1)))) {
    if (await db.selectFrom('data_export').select('id').where('id', '=', id).executeTakeFirst()) continue
    await files.remove(id)
    strays++
  }
  return over.length + replaced + strays
}

const isOver = ({ expires_at }: Row, at: Date) => expires_at !== null && expires_at <= at

function toExport(row: Row): DataExport {
  const { id, state, done, total, bytes } = row
  const ready = state === 'ready'
  return {
    id,
    done,
    total,
    member: row.member as MemberId,
    state: state as DataExport['state'],
    askedAt: row.asked_at,
    bytes: ready ? bytes : null,
    expiresAt: ready ? row.expires_at : null,
  }
}
