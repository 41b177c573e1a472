import { commandLineOf } from '../../../server/embedded/lifecycle/process-identity.ts'
import { until } from '../../support/until.ts'
import { descendantsOf, isReady, type Program } from '../program-child.ts'

const AGAIN_WITHIN_MS = 240_000

/** The program alone, or with its Postgres and its log. */
export type Killed = 'parent' | 'all'

/** The program itself, below what keeps it running. */
function keptBy({ pid }: Program): number {
  const found = descendantsOf(pid).find((below) => commandLineOf(below)?.includes('/main.js'))
  if (!found) throw new Error('Nothing is kept running.')
  return found
}

/**
 * Kills a kept program without a word, and waits until its keeper has it
 * ready again. Answers how long members were without it. What it answers meanwhile is in the document, too; a connection that
 * is refused or cut is no answer.
 */
export async function killKept(program: Program, whom: Killed): Promise<number> {
  const pid = keptBy(program)
  const victims = whom === 'all' ? [pid, ...descendantsOf(pid)] : [pid]
  const killedAt = performance.now()
  for (const victim of victims) {
    try {
      process.kill(victim, 'SIGKILL')
    } catch {
      // Some die by the death of another.
    }
  }
  await until('it is away', async () => !(await isReady(program.url)))
  await until('it is ready again', () => isReady(program.url), AGAIN_WITHIN_MS)
  return performance.now() - killedAt
}
