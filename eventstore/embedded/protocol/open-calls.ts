import type { EventEmitter } from 'node:events'
import { shuttingDown } from './errors.ts'

/** Streaming calls that are open, so that a stop can notify their readers instead of leaving them waiting. */
export class OpenCalls {
  private readonly calls = new Set<EventEmitter>()

  add(call: EventEmitter): void {
    this.calls.add(call)
    const forget = () => this.calls.delete(call)
    for (const event of ['cancelled', 'close', 'finish']) call.once(event, forget)
  }

  endAll(): void {
    for (const call of this.calls) call.emit('error', shuttingDown())
  }
}
