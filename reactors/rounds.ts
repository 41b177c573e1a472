import { keepRunning } from '../eventstore/retry.ts'

/** Work that goes on in rounds until it is stopped; `stop` waits for the round under way. */
export type Rounds = { start(): void; stop(): Promise<void> }

export type RoundsOptions = {
  /** One after the other; false when there was nothing to do. `signal` ends when it is to stop. */
  readonly round: (signal: AbortSignal) => Promise<boolean>
  /** How long it rests after a round without work, or one that failed. */
  readonly everyMs: number
  /** Not called for what fails because it is stopped. */
  readonly onError: (error: unknown) => void
}

export function createRounds({ round, everyMs, onError }: RoundsOptions): Rounds {
  const stopped = new AbortController()
  const { signal } = stopped
  let running: Promise<void> = Promise.resolve()

  async function whileBusy(): Promise<void> {
    while (!signal.aborted && (await round(signal)));
  }

  return {
    start() {
      running = keepRunning(signal, whileBusy, onError, everyMs)
    },
    async stop() {
      stopped.abort()
      await running
    },
  }
}
