import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import type { ReportRow } from './table.ts'

/** Cases that nobody has closed, the longest waiting first. */
export function listOpenReports(db: ReadDb): Promise<ReportRow[]> {
  return db.selectFrom('report').selectAll().where('status', '=', 'open').orderBy('opened_at').orderBy('id').execute()
}

/** Open cases about one member, whoever reported. */
export function listOpenReportsAbout(db: ReadDb, target: MemberId): Promise<ReportRow[]> {
  return db.selectFrom('report').selectAll().where('target', '=', target).where('status', '=', 'open').execute()
}

export async function findReport(db: ReadDb, id: string): Promise<ReportRow | null> {
  return (await db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Cases that were opened before, open or not, whose evidence can still be read. */
export function listReportsWithEvidence(db: ReadDb, before: Date): Promise<ReportRow[]> {
  return db
    .selectFrom('report')
    .selectAll()
    .where('evidence', '=', true)
    .where('opened_at', '<', before)
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
}
