import { forgetErased } from '../../../eventstore/forget-erased.ts'
import { keepRunning } from '../../../eventstore/retry.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import type { Core } from '../../core.ts'
import { forgetEnded } from './forget-ended.ts'

export type Forgetting = { stop(): Promise<void> }

/**
 * Drops what this process keeps of a member or a case, whichever process erased it: keys and folded streams. Every process follows
 * the log for it, whatever its roles. Resolves once the keys of those who ended before are dropped.
 */
export async function startForgetting(core: Core, logger: Logger): Promise<Forgetting> {
  const { log, feed, keys } = core
  const stopped = new AbortController()
  const { signal } = stopped
  let from = await log.head()
  // What ends meanwhile is followed from there.
  await forgetEnded(core)

  async function follow(gotOn: () => void): Promise<void> {
    for await (const batch of feed.follow(from, signal)) {
      forgetErased(keys, batch)
      from = batch[batch.length - 1]!.position
      gotOn()
    }
  }

  const following = keepRunning(signal, follow, (error) => {
    logger.warn('Erasures cannot be followed.', { kind: 'erasure', ...errorFields(error) })
  })
  return {
    async stop() {
      stopped.abort()
      await following
    },
  }
}
