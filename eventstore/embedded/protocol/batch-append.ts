import type { UUID } from '@eventstore/db-client/generated/shared_pb.js'
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import { BatchRequest } from './batch-request.ts'
import { appended, badRequest, refused, tooBig } from './batch-response.ts'
import { toRpcError } from './errors.ts'
import type { OpenCalls } from './open-calls.ts'
import { uuidOf } from './uuids.ts'

/** Writes waiting in the sequencer before a client's stream is paused. */
const WAITING_MOST = 20_000

/** BatchAppend: many appends share one stream, each answered by its correlation id as soon as it is durable. */
export function batchAppendHandler(
  log: EventLog,
  calls: OpenCalls,
  waitingMost = WAITING_MOST,
): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    calls.add(call)
    const session = new BatchSession(log, call, waitingMost)
    call.on('error', () => session.abandon())
    call.on('cancelled', () => session.abandon())
    call.on('data', (message: BatchAppendReq) => session.take(message))
    call.on('end', () => session.endWhenAnswered())
  }
}

class BatchSession {
  private readonly gathering = new Map<string, BatchRequest>()
  private unanswered = 0
  private ended = false
  private abandoned = false
  private readonly cancelled = () => this.abandoned

  constructor(
    private readonly log: EventLog,
    private readonly call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
    private readonly waitingMost: number,
  ) {}

  take(message: BatchAppendReq): void {
    if (this.abandoned) return
    const correlation = message.getCorrelationId()
    let id = ''
    try {
      id = uuidOf(correlation)
      const options = message.getOptions()
      if (options) this.gathering.set(id, new BatchRequest(options))
      const request = this.gathering.get(id)
      // The rest of an append that was refused half way.
      if (!request) return
      request.take(message.getProposedMessagesList())
      if (request.events.tooBig) this.refuse(id, tooBig(correlation, request))
      else if (message.getIsFinal()) {
        this.gathering.delete(id)
        void this.write(request, correlation)
      }
    } catch (error) {
      this.refuse(id, badRequest(correlation, message.getOptions()?.getStreamIdentifier(), error))
    }
  }

  /** Nothing may follow an error: the client crashes on an answer to an append that it has given up. */
  abandon(): void {
    this.abandoned = true
    this.gathering.clear()
  }

  endWhenAnswered(): void {
    this.ended = true
    if (!this.unanswered && !this.abandoned) this.call.end()
  }

  private refuse(id: string, response: BatchAppendResp): void {
    this.gathering.delete(id)
    this.answer(response)
  }

  private async write(request: BatchRequest, correlation: UUID | undefined): Promise<void> {
    this.unanswered++
    if (this.log.waitingWrites > this.waitingMost) this.pause()
    const { stream, expected, events, deadline } = request
    try {
      const append = {
        kind: 'append',
        stream,
        expected,
        events: events.all,
        deadline,
        cancelled: this.cancelled,
      } as const
      const outcome = await this.log.write(append)
      this.answer(outcome.ok ? appended(correlation, request, outcome) : refused(correlation, request, outcome))
    } catch (error) {
      this.fail(error)
    }
    this.unanswered--
    if (this.ended) this.endWhenAnswered()
  }

  private pause(): void {
    if (this.call.isPaused()) return
    this.call.pause()
    void this.log.fewerWaiting(this.waitingMost / 2).then(() => this.call.resume())
  }

  private answer(response: BatchAppendResp): void {
    if (!this.abandoned && !this.call.cancelled) this.call.write(response)
  }

  /** Ends the whole stream: the client then sees every append under way as unavailable, never as done or refused. */
  private fail(error: unknown): void {
    if (this.abandoned) return
    this.abandon()
    this.call.emit('error', toRpcError(error))
  }
}
