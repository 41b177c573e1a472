import type { ProposedEvent } from '../records.ts'
import { MAX_APPEND_BYTES, MAX_EVENT_BYTES } from './errors.ts'
import { type Proposal, proposedEventOf } from './requests.ts'

/** What is kept of an append until it is complete: its metadata and empty events are counted too. */
const MAX_KEPT_BYTES = 2 * MAX_EVENT_BYTES
const BYTES_AROUND_EVENT = 100

/** The events of one append, gathered from its messages. */
export class ProposedEvents {
  readonly all: ProposedEvent[] = []
  private payload = 0
  private kept = 0

  add(proposal: Proposal): void {
    const event = proposedEventOf(proposal)
    this.payload += event.data.length
    this.kept += event.data.length + event.metadata.length + BYTES_AROUND_EVENT
    if (!this.tooBig) this.all.push(event)
  }

  get tooBig(): boolean {
    return this.payload > MAX_APPEND_BYTES || this.kept > MAX_KEPT_BYTES
  }
}
