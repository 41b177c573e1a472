import { setTimeout as pause } from 'node:timers/promises'
import type { Postmaster } from './postmaster.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000
const SETTLED_MS = 10_000

export type KeptUp = {
  /** Of the server that runs, or ran last. */
  pid(): number
  stop(): Promise<void>
}

/**
 * Starts the server again, with growing pauses, whenever it ends without being asked to. The first start is the caller's
 * to judge: it throws what `start` throws.
 */
export async function keepUp(start: () => Promise<Postmaster>, warn: (text: string) => void): Promise<KeptUp> {
  let server = await start()
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = async () => {
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; ) {
      const startedAt = performance.now()
      await server.exited
      if (signal.aborted) return
      if (performance.now() - startedAt > SETTLED_MS) wait = FIRST_PAUSE_MS
      warn('Postgres ended; starting it again.')
      await pause(wait, undefined, { signal }).catch(() => undefined)
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
      if (signal.aborted) return
      await start().then(
        (next) => {
          server = next
        },
        (error: unknown) => warn(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
      )
    }
  }
  const watching = watch()
  return {
    pid: () => server.pid,
    async stop() {
      stopping.abort()
      await server.stop()
      // A start that was under way has brought another one up.
      await watching
      await server.stop()
    },
  }
}
