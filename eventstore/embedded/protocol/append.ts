import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleClientStreamingCall } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import type { ExpectedRevision, WriteOutcome } from '../records.ts'
import { shared, streams } from './definitions.ts'
import { appendTooBig, invalidArgument, refusedWrite } from './errors.ts'
import type { OpenCalls } from './open-calls.ts'
import { ProposedEvents } from './proposed-events.ts'
import { expectedRevisionOf, proposalFrom, revisionText, streamNameOf } from './requests.ts'

/**
 * Node's HTTP/2 client ends a stream before it resets it, and a cut connection ends it too: an append that was given up
 * half way looks complete at first. The immediate lets the sockets be read after the time is over.
 */
const RESET_MS = 10
const resetWouldHaveCome = () => setTimeout(RESET_MS).then(() => setImmediate())

/** Append: options first, then one message per event, and one answer at the end. */
export function appendHandler(log: EventLog, calls: OpenCalls): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, answer) => {
    const request = new AppendRequest()
    const reply = calls.answering(call, answer)
    call.on('data', (message: AppendReq) => {
      try {
        if (!reply.given()) request.take(message)
      } catch (error) {
        reply.fail(error)
      }
    })
    call.on('end', async () => {
      await resetWouldHaveCome()
      if (reply.given() || call.cancelled) return
      try {
        const { to, events } = request
        const deadline = Number(call.getDeadline())
        const cancelled = () => call.cancelled
        const outcome = await log.write({ kind: 'append', ...to, events: events.all, deadline, cancelled })
        reply.give(appendResponse(to, outcome))
      } catch (error) {
        reply.fail(error)
      }
    })
  }
}

type Target = { readonly stream: string; readonly expected: ExpectedRevision }

/** One append as it arrives. */
class AppendRequest {
  readonly events = new ProposedEvents()
  private target: Target | undefined

  /** Where to; throws while nothing has named it. */
  get to(): Target {
    if (!this.target) throw invalidArgument('An append begins with its options.')
    return this.target
  }

  take(message: AppendReq): void {
    const options = message.getOptions()
    if (options) {
      if (this.target) throw invalidArgument('An append has its options once.')
      const stream = streamNameOf(options.getStreamIdentifier())
      this.target = {
        stream,
        expected: expectedRevisionOf(options, () => options.hasRevision() && options.getRevision()),
      }
    }
    const proposed = this.to && message.getProposedMessage()
    if (proposed) this.events.add(proposalFrom(proposed))
    if (this.events.tooBig) throw appendTooBig()
  }
}

function appendResponse({ stream, expected }: Target, outcome: WriteOutcome): AppendResp {
  const response = new streams.AppendResp()
  if (outcome.ok) {
    const at = String(outcome.position)
    const success = new streams.AppendResp.Success()
    if (outcome.revision < 0) success.setNoStream(new shared.Empty())
    else success.setCurrentRevision(revisionText(outcome.revision))
    if (outcome.position === 0) success.setNoPosition(new shared.Empty())
    else success.setPosition(new streams.AppendResp.Position().setCommitPosition(at).setPreparePosition(at))
    return response.setSuccess(success)
  }
  if (outcome.reason !== 'wrong-revision') throw refusedWrite(stream, expected, outcome)
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(revisionText(outcome.current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(String(expected))
  return response.setWrongExpectedVersion(wrong)
}
