import type { ExpectedRevision } from '../records.ts'
import type { BatchOptions } from './batch-message.ts'
import { ProposedEvents } from './proposed-events.ts'
import { expectationFrom, type Proposal, streamNameFrom } from './requests.ts'

/** One append of a batch stream, gathered from its messages. `deadline` is in milliseconds since 1970. */
export class BatchRequest {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly deadline: number
  readonly events = new ProposedEvents()

  constructor({ stream, expected, deadline }: BatchOptions) {
    this.stream = streamNameFrom(stream)
    this.expected = expectationFrom(expected)
    this.deadline = deadline
  }

  take(proposals: readonly Proposal[]): void {
    for (const proposal of proposals) this.events.add(proposal)
  }
}
