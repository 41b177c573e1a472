import { allEvents, type Category, type RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Change, type Projection, put } from '../projection.ts'
import { membersIn } from './subjects.ts'
import { type HistoryRow, history } from './table.ts'

/** What a history holds of an event. */
export function rowOf(event: RecordedEvent, member: MemberId): HistoryRow {
  const { position, id, stream, revision, type, at } = event
  return { member, position, id, stream, revision, kind: stream.slice(0, stream.indexOf('-')) as Category, type, at }
}

function listed(event: RecordedEvent): Change[] {
  return membersIn(event).map((member) => put(history, rowOf(event, member)))
}

/** Which events are a member's, over all streams: what auditors page through. It holds ids alone and outlives an erasure. */
export const histories: Projection = {
  name: 'histories',
  version: 1,
  readBy: 'operators',
  tables: [history],
  when: Object.fromEntries(allEvents.map(({ type }) => [type, listed])),
}
