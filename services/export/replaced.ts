import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { ExportFiles } from './files.ts'

/**
 * Removes copies that are ready where their member has one that was ready later, so that each has one at most: of one member,
 * or of all. The bytes go first: after an interruption the row is found again. Answers how many there were.
 */
export async function removeReplaced(db: AppDb, files: ExportFiles, member?: MemberId): Promise<number> {
  let replaced = db
    .selectFrom('data_export as old')
    .select('old.id')
    .where('old.state', '=', 'ready')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('data_export as later')
          .select('later.id')
          .whereRef('later.member', '=', 'old.member')
          .where('later.state', '=', 'ready')
          .whereRef('later.ready_at', '>', 'old.ready_at'),
      ),
    )
  if (member !== undefined) replaced = replaced.where('old.member', '=', member)
  const rows = await replaced.execute()
  for (const { id } of rows) {
    await files.remove(id)
    await db.deleteFrom('data_export').where('id', '=', id).execute()
  }
  return rows.length
}
