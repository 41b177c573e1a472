import { sql } from 'kysely'
import type { MemberId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'
import type { Codes } from './codes.ts'
import type { Credentials } from './credentials.ts'
import { isErased } from './erased.ts'
import { addJob } from './jobs/add-job.ts'
import type { SecondFactor } from './second-factor/second-factor.ts'
import type { UndoLinks } from './second-factor/undo-links.ts'
import type { Sessions } from './sessions/sessions.ts'

/**
 * A command about an account whose rows have changed already. `what`: its type and its fields without personal data; `id`:
 * the command's own, so that the log has it once however often it is sent.
 */
export type OwedCommand = {
  readonly id: string
  readonly member: MemberId
  readonly what: { readonly type: string }
  readonly at: Date
}

/** The services that can take part in one transaction. */
export type Rows = {
  readonly sessions: Sessions
  readonly secondFactor: SecondFactor
  readonly credentials: Credentials
  readonly codes: Codes
  readonly undoLinks: UndoLinks
}

/**
 * Commands that the log is owed: stored together with the change that they are about, and removed once it has them. Those
 * about one account go in the order of their changes.
 */
export type Owed = {
  /** All of the change and what it owes, or nothing where it throws. */
  commit<T>(change: (rows: Rows, owe: (command: OwedCommand) => void) => Promise<T>): Promise<T>
  /** The log has it, or never will. */
  settle(command: Pick<OwedCommand, 'id'>): Promise<void>
  /** Whether none about the same account is older. */
  isNext(command: Pick<OwedCommand, 'id'>): Promise<boolean>
  /** One that is due and the next about its account, for this process alone for a while. */
  take(): Promise<TakenCommand | null>
  /** It comes again, each time twice as late. */
  putOff(taken: TakenCommand, why: 'refused' | 'away'): Promise<void>
  /** In how many milliseconds the account's next is due; null where this one is left no more. */
  waits(id: string): Promise<number | null>
  /** It stays in its table, comes no more, and nothing waits for it. */
  giveUp(taken: TakenCommand): Promise<void>
}
/** `refused`: how many of the tries the log was there for. */
export type TakenCommand = OwedCommand & { readonly tries: number; readonly refused: number }

/** Whoever made the change sends it first. */
const FIRST_WAIT_MS = 3_000
const LEASE = '60 seconds'
const LONGEST_WAIT = '60 seconds'

const older = sql`
  select from owed_command e where e.member = o.member and e.number < o.number and not e.given_up`

type Deps = { db: AppDb; rowsOf: (tx: AppDb) => Rows }

export function createOwed({ db, rowsOf }: Deps): Owed {
  return {
    commit: (change) =>
      db.transaction().execute(async (tx) => {
        const owed: OwedCommand[] = []
        const value = await change(rowsOf(tx), (command) => owed.push(command))
        for (const command of owed) await store(tx, command)
        return value
      }),
    async settle({ id }) {
      await sql`
        with settled as (delete from owed_command where id = ${id} returning id)
        select job.remove_job('send-owed:' || id) from settled`.execute(db)
    },
    async isNext({ id }) {
      const { rows } = await sql`
        select from owed_command o where id = ${id} and exists (${older})`.execute(db)
      return rows.length === 0
    },
    async take() {
      const { rows } = await sql<TakenCommand>`
        update owed_command set tries = tries + 1, due_at = now() + ${LEASE}::interval where id = (
          select id from owed_command o where due_at <= now() and not given_up and not exists (${older})
          order by due_at limit 1 for update skip locked)
        returning id, member, what, at, tries, refused`.execute(db)
      return rows[0] ?? null
    },
    async putOff({ id, tries, refused }, why) {
      const wait = sql<Date>`now() + least(${LONGEST_WAIT}::interval, interval '1 second' * power(2, ${Math.min(tries, 10)}::int))`
      await db
        .updateTable('owed_command')
        .set({ due_at: wait, refused: refused + (why === 'refused' ? 1 : 0) })
        .where('id', '=', id)
        .execute()
    },
    async waits(id) {
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from e.due_at - now()) * 1000 as ms from owed_command o join owed_command e using (member)
        where o.id = ${id} and not o.given_up and not e.given_up order by e.number limit 1`.execute(db)
      return rows[0]?.ms ?? null
    },
    async giveUp({ id }) {
      await db.updateTable('owed_command').set({ given_up: true }).where('id', '=', id).execute()
    },
  }
}

/** Nothing is noted of an account that is erased. */
async function store(tx: AppDb, { id, member, what, at }: OwedCommand): Promise<void> {
  if (await isErased(tx, member)) return
  const due_at = sql<Date>`now() + ${FIRST_WAIT_MS} * interval '1 millisecond'`
  await tx
    .insertInto('owed_command')
    .values({ id, member, what: JSON.stringify(what), at, due_at })
    .execute()
  await addJob(tx, 'send-owed', { command: id }, { inMs: FIRST_WAIT_MS })
}
