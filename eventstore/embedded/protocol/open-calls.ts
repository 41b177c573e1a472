import type { EventEmitter } from 'node:events'
import type { sendUnaryData } from '@grpc/grpc-js'
import { shuttingDown, toRpcError } from './errors.ts'

/** The one answer of a call, which a stop or a cancellation may come before. */
export type Answer<Response> = {
  /** Whether nothing can be answered any more. */
  given(): boolean
  give(response: Response): void
  fail(error: unknown): void
}

/** Calls that are open, so that a stop can notify their clients instead of leaving them waiting. */
export class OpenCalls {
  private readonly ends = new Set<() => void>()

  /** A streaming call, which ends with an error of its own. */
  add(call: EventEmitter): void {
    const end = () => call.emit('error', shuttingDown())
    this.ends.add(end)
    for (const event of ['cancelled', 'close', 'finish']) call.once(event, () => this.ends.delete(end))
  }

  /** A call with one answer. */
  answering<Response>(call: EventEmitter, answer: sendUnaryData<Response>): Answer<Response> {
    const end = () => fail(shuttingDown())
    const isOpen = () => this.ends.delete(end)
    const fail = (error: unknown) => isOpen() && answer(toRpcError(error))
    this.ends.add(end)
    for (const event of ['cancelled', 'error']) call.on(event, isOpen)
    return {
      given: () => !this.ends.has(end),
      give: (response) => isOpen() && answer(null, response),
      fail,
    }
  }

  endAll(): void {
    for (const end of [...this.ends]) end()
  }
}
