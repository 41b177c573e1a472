import type { Logger } from '../../../services/log.ts'
import type { Config } from '../../config.ts'
import type { Secrets } from '../../secrets.ts'
import { servingRoles } from '../roles.ts'
import type { Shared } from '../shared/shared.ts'
import { hostLimits } from './host.ts'
import { linkLimits } from './link.ts'

type Setup = {
  readonly config: Pick<Config, 'sharedLimits' | 'roles' | 'webWorkers'>
  readonly secrets: Pick<Secrets, 'mediaSecret'>
  readonly logger: Logger
}

/** `shared` is undefined for a primary: its workers count, each over a link of its own. */
export type Apart = { readonly shared: Shared | undefined; close(): Promise<void> }

/**
 * What a process has that counts limits with others that were started apart (`SHARED_LIMITS`, decision 0037). Null where
 * it counts alone.
 */
export async function countApart({ config, secrets, logger }: Setup): Promise<Apart | null> {
  if (config.sharedLimits === null || servingRoles(config.roles).size === 0) return null
  const options = { address: config.sharedLimits, mediaSecret: secrets.mediaSecret }
  const host = hostLimits(options)
  const link = config.webWorkers === 1 ? await linkLimits({ ...options, logger }) : null
  return {
    shared: link?.shared,
    async close() {
      await link?.close()
      await host.close()
    },
  }
}

/** The same for a worker, which leaves it to its primary to count for others. */
export async function linkApart({ config, secrets, logger }: Setup): Promise<Apart | null> {
  if (config.sharedLimits === null) return null
  return linkLimits({ address: config.sharedLimits, mediaSecret: secrets.mediaSecret, logger })
}
