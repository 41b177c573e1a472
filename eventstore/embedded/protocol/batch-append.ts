import type { handleBidiStreamingCall, MethodDefinition, ServerDuplexStream } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import { UndecidedError } from '../writer/undecided.ts'
import { type BatchMessage, batchMessageFrom, type Correlation } from './batch-message.ts'
import { BatchRequest } from './batch-request.ts'
import { appended, badRequest, refused, tooBig, undecided } from './batch-response.ts'
import { streamsService } from './definitions.ts'
import { toRpcError } from './errors.ts'
import type { OpenCalls } from './open-calls.ts'
import { uuidOf } from './uuids.ts'

/** Writes waiting in the sequencer before a client's stream is paused. */
const WAITING_MOST = 20_000

/** How BatchAppend is read and answered: its messages are made and read here, its answers come encoded. */
export const batchAppendMethod = {
  ...streamsService.StreamsService.batchAppend,
  requestDeserialize: batchMessageFrom,
  responseSerialize: (frame: Buffer) => frame,
} as unknown as MethodDefinition<BatchMessage, Buffer>

/** BatchAppend: many appends share one stream, each answered by its correlation id as soon as it is durable. */
export function batchAppendHandler(
  log: EventLog,
  calls: OpenCalls,
  waitingMost = WAITING_MOST,
): handleBidiStreamingCall<BatchMessage, Buffer> {
  return (call) => {
    calls.add(call)
    const session = new BatchSession(log, call, waitingMost)
    call.on('error', () => session.abandon())
    call.on('cancelled', () => session.abandon())
    call.on('data', (message: BatchMessage) => session.take(message))
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
    private readonly call: ServerDuplexStream<BatchMessage, Buffer>,
    private readonly waitingMost: number,
  ) {}

  take(message: BatchMessage): void {
    if (this.abandoned) return
    const { correlation, options, proposals, isFinal } = message
    let id = ''
    try {
      id = uuidOf(correlation.text)
      if (options) this.gathering.set(id, new BatchRequest(options))
      const request = this.gathering.get(id)
      // The rest of an append that was refused half way.
      if (!request) return
      request.take(proposals)
      if (request.events.tooBig) this.refuse(id, tooBig(correlation, request))
      else if (isFinal) {
        this.gathering.delete(id)
        void this.write(request, correlation)
      }
    } catch (error) {
      this.refuse(id, badRequest(correlation, options?.stream, error))
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

  private refuse(id: string, response: Buffer): void {
    this.gathering.delete(id)
    this.answer(response)
  }

  private async write(request: BatchRequest, correlation: Correlation): Promise<void> {
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
      if (error instanceof UndecidedError) this.answer(undecided(correlation, request, error))
      else this.fail(error)
    }
    this.unanswered--
    if (this.ended) this.endWhenAnswered()
  }

  private pause(): void {
    if (this.call.isPaused()) return
    this.call.pause()
    void this.log.fewerWaiting(this.waitingMost / 2).then(() => this.call.resume())
  }

  private answer(response: Buffer): void {
    if (!this.abandoned && !this.call.cancelled) this.call.write(response)
  }

  /** Ends the whole stream: the client then sees every append under way as unavailable, never as done or refused. */
  private fail(error: unknown): void {
    if (this.abandoned) return
    this.abandon()
    this.call.emit('error', toRpcError(error))
  }
}
