import { backOff } from '../../../eventstore/retry.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import type { Core } from '../../core.ts'

export type Forgetting = { stop(): Promise<void> }

/**
 * Drops what this process keeps of a member or a case, whichever process erased it: keys and folded streams. Every process follows
 * the log for it, whatever its roles.
 */
export async function startForgetting({ log, feed, keys }: Core, logger: Logger): Promise<Forgetting> {
  const stopped = new AbortController()
  const { signal } = stopped
  let from = await log.head()

  async function follow(): Promise<void> {
    for await (const batch of feed.follow(from, signal)) {
      for (const { type, data } of batch) {
        // Between the two somebody may have asked for the key again.
        if (type === 'AccountErased' || type === 'ErasureCertified') keys.forget(data.member as string)
        if (type === 'EvidenceDestroyed') keys.forget(data.report as string)
      }
      from = batch[batch.length - 1]!.position
    }
  }

  async function forEver(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      await follow().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('Erasures cannot be followed.', { kind: 'erasure', ...errorFields(error) })
      })
      if (!signal.aborted) await backOff(Math.min(attempt, 6), signal)
    }
  }

  const following = forEver()
  return {
    async stop() {
      stopped.abort()
      await following
    },
  }
}
