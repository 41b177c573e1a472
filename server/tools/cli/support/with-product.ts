import { createLogger } from '../../../../services/log.ts'
import { type Config, loadConfig } from '../../../config.ts'
import { findRunning } from '../../../data-dir.ts'
import { createProduct, type Product } from '../../../product.ts'
import { openSecrets } from '../../../secrets.ts'
import { refuseHalfRestored } from '../../backup/half-restored.ts'
import { withParts } from './attach.ts'

const CATCH_UP_MS = 60_000

/**
 * Runs `work` on the product: beside the one that runs on the data folder, whose projector continues its work, or on
 * parts of its own. Nothing is served.
 */
export async function withProduct<T>(
  work: (product: Product, config: Config) => Promise<T>,
  config: Config = loadConfig(process.env),
): Promise<T> {
  refuseHalfRestored(config.dataDir)
  const there = findRunning(config.dataDir)
  const running = there !== null && !there.logAlone
  return withParts({ need: ['postgres', 'log'], config }, async ({ postgres, log }) => {
    const product = await createProduct({
      stores: { database: postgres.app, log, secrets: openSecrets(config) },
      config: { ...config, roles: new Set(running ? [] : ['projector']) },
      publicUrl: config.publicUrl ?? 'http://localhost',
      now: () => new Date(),
      logger: createLogger({ level: 'silent' }),
    })
    try {
      await product.start()
      if (!(await product.caughtUp(await product.core.log.head(), undefined, CATCH_UP_MS)))
        throw new Error('The read models do not catch up with the log. See /readyz of the running product.')
      return await work(product, config)
    } finally {
      await product.stop()
    }
  })
}
