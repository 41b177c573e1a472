import { allEvents, type RecordedEvent } from '../../domain/all-events.ts'
import { type Change, type Projection, put } from '../projection.ts'
import { membersIn } from './subjects.ts'
import { history } from './table.ts'

function listed(event: RecordedEvent): Change[] {
  const { position, id, stream, revision, type, at } = event
  const kind = stream.slice(0, stream.indexOf('-'))
  return membersIn(event).map((member) => put(history, { member, position, id, stream, revision, kind, type, at }))
}

/** Which events are a member's, over all streams: what auditors page through. It holds ids alone and outlives an erasure. */
export const histories: Projection = {
  name: 'histories',
  version: 1,
  tables: [history],
  when: Object.fromEntries(allEvents.map(({ type }) => [type, listed])),
}
