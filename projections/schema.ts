import type { AccountRow } from './accounts/table.ts'
import type { MessageRow } from './conversations/message-table.ts'
import type { ConversationRow } from './conversations/table.ts'
import type { CandidateRow } from './discover/table.ts'
import type { HistoryRow } from './history/table.ts'
import type { NotificationRow } from './notifications/table.ts'
import type { GalleryItemRow } from './profiles/gallery-table.ts'
import type { ProfileRow } from './profiles/table.ts'
import type { RelationRow } from './relations/table.ts'
import type { ReportRow } from './reports/table.ts'

/** Where a member was last, to the cell: what Discover may know (ruling R7). `lat` and `lng` are the cell's centre. */
export type MemberCellRow = { member: string; cell_row: number; cell_col: number; lat: number; lng: number }

/** The blurred derivative of a picture: another file under an unrelated id (ruling R2). */
export type MediaBlurRow = { original: string; blurred: string }

/** Every view in schema `read`, by name; the last two show rows that are not made from the log. */
export type ReadSchema = {
  account: AccountRow
  profile: ProfileRow
  gallery_item: GalleryItemRow
  relation: RelationRow
  conversation: ConversationRow
  message: MessageRow
  notification: NotificationRow
  candidate: CandidateRow
  report: ReportRow
  history: HistoryRow
  member_cell: MemberCellRow
  media_blur: MediaBlurRow
}
