import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { ExpectedRevision } from '../records.ts'
import { ProposedEvents } from './proposed-events.ts'
import { expectedRevisionOf, streamNameOf } from './requests.ts'

/** One append of a batch stream, gathered from its chunks. `deadline` is in milliseconds since 1970. */
export class BatchRequest {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly deadline: number
  readonly events = new ProposedEvents()

  constructor(options: BatchAppendReq.Options) {
    this.stream = streamNameOf(options.getStreamIdentifier())
    this.expected = expectedRevisionOf(options, () => options.hasStreamPosition() && options.getStreamPosition())
    const deadline = options.getDeadline()
    this.deadline = deadline ? deadline.getSeconds() * 1000 + deadline.getNanos() / 1e6 : Number.POSITIVE_INFINITY
  }

  take(messages: BatchAppendReq.ProposedMessage[]): void {
    for (const message of messages) this.events.add(message)
  }
}
