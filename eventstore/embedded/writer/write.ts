import type { ExpectedRevision, ProposedEvent } from '../records.ts'

/**
 * One request to change a stream. `deadline` is in milliseconds since 1970: a write not begun by then is not done, and
 * neither is one whose client has left.
 */
export type Write = {
  kind: 'append' | 'delete' | 'tombstone'
  stream: string
  expected: ExpectedRevision
  events: ProposedEvent[]
  deadline: number
  cancelled?: () => boolean
}
