import { commandLineOf } from '../../../server/embedded/lifecycle/process-identity.ts'
import { until } from '../../support/until.ts'
import { openInspector } from '../inspector.ts'
import { descendantsOf, isReady, type Program } from '../program-child.ts'

const AGAIN_WITHIN_MS = 240_000

/** The program alone, or with its Postgres and its log; or it is made to take more memory than it has. */
export type Killed = 'parent' | 'all' | 'memory'

/** The program itself, below what keeps it running. */
function keptBy({ pid }: Program): number {
  const found = descendantsOf(pid).find((below) => commandLineOf(below)?.includes('/main.js'))
  if (!found) throw new Error('Nothing is kept running.')
  return found
}

/**
 * Kills a kept program without a word, and waits until its keeper has it
 * ready again. Answers how long members were without it. What it answers meanwhile is in the document, too; a connection that
 * is refused or cut is no answer. `inspectorPort`: where it is inspectable, to take all its memory.
 */
export async function killKept(program: Program, whom: Killed, inspectorPort = 0): Promise<number> {
  const pid = keptBy(program)
  if (whom === 'memory') await swell(pid, inspectorPort)
  const killedAt = performance.now()
  const victims = whom === 'memory' ? [] : whom === 'all' ? [pid, ...descendantsOf(pid)] : [pid]
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

const SWELL = 'globalThis.swollen = []; for (;;) swollen.push(new Array(100_000).fill(0))'

/** Until it has died of it. */
async function swell(pid: number, port: number): Promise<void> {
  const inspector = await openInspector(pid, port)
  await inspector.ask('Runtime.evaluate', { expression: SWELL }).catch(() => undefined)
}
