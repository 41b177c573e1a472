import { setTimeout as pause } from 'node:timers/promises'
import { START } from '../domain/shared/recorded.ts'
import type { Core } from './core.ts'
import type { RoleState } from './http/raw/health.ts'
import { oneAtATime } from './waiting/one-at-a-time.ts'

const ANSWER_MS = 1_000
/** A connection that does not answer it in time is dropped, since it may be silent for good: the next look takes another. */
const LOOK = { text: 'select 1', query_timeout: ANSWER_MS }
/** However often it is asked, the stores are asked this often. */
const KEPT_MS = 250

/**
 * Whether Postgres and the log answer, at this moment or a quarter of a second ago. `logIsUp` is what is known of the
 * log beside that, such as that it cannot write.
 */
export function createStoreCheck(
  { storage, log }: Pick<Core, 'storage' | 'log'>,
  logIsUp: () => boolean,
): () => Promise<RoleState[]> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<RoleState[]> = Promise.resolve([])
  // A database that hangs is not given more to do.
  const postgres = oneAtATime(() => storage.look.query(LOOK))
  const ask = async () => {
    const [database, events] = await Promise.all([
      inTime(postgres()),
      inTime(log.readAll(START, 1, AbortSignal.timeout(ANSWER_MS))),
    ])
    return [
      { role: 'postgres', ready: database },
      { role: 'log', ready: events && logIsUp() },
    ]
  }
  return () => {
    if (performance.now() - asked < KEPT_MS) return answer
    asked = performance.now()
    answer = ask()
    return answer
  }
}

async function inTime(answer: Promise<unknown>): Promise<boolean> {
  const late = pause(ANSWER_MS, false, { ref: false })
  return Promise.race([
    answer.then(
      () => true,
      () => false,
    ),
    late,
  ])
}
