import { days } from '../../domain/shared/dates.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'

/** A month without a position or a town, and the cell is a guess: nobody is to be found by where they were (decision 0043). */
export const CELL_MS = days(30)

type Deps = { readonly db: AppDb; readonly now: Clock }

/** The sealed positions past their day; their cells stay. Answers how many. */
export async function forgetRaw({ db, now }: Deps): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('position')
    .set({ sealed: null })
    .where('sealed', 'is not', null)
    .where('expires_at', '<=', now())
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The rows of whom nothing was known for so long. One that is being written has a new position. */
export async function forgetCells({ db, now }: Deps): Promise<number> {
  const before = new Date(now().getTime() - CELL_MS)
  const old = db
    .selectFrom('position')
    .select('member')
    .where('accepted_at', '<=', before)
    .orderBy('member')
    .forUpdate()
    .skipLocked()
  const { numDeletedRows } = await db
    .deleteFrom('position')
    .where('member', 'in', old)
    .where('accepted_at', '<=', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
