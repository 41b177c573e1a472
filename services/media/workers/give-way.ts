import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * A tenth of what the main thread gets where both want a core: who waits for a page comes before who waits for a file. With a third
 * of it, one of a hundred honest answers takes nearly twice as long beside bad files and all other attacks.
 */
const NICENESS = 10

/**
 * Lets other processes go before this one, which leads a session of its own. Linux shares a core among sessions first: in the
 * main thread's own session it would take from what that gets, however nice it is. False where that is to be tried again:
 * unless root asks, Linux sets one session in a tenth of a second.
 */
export function giveWay({ pid }: ChildProcess): boolean {
  if (pid === undefined) return true
  attempt(() => setPriority(pid, NICENESS))
  return attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS))) !== 'EAGAIN'
}

/** The code of its error: it may have ended already, and other systems have no such groups. */
function attempt(set: () => void): string | undefined {
  try {
    set()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
