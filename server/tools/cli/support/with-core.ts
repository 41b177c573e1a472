import { loadConfig } from '../../../config.ts'
import { type Core, openCore } from '../../../core.ts'
import type { ProductDatabases } from '../../../data-dir.ts'
import { openSecrets, type Secrets } from '../../../secrets.ts'
import { requireProduct, withParts } from './attach.ts'

export type CoreParts = {
  readonly core: Core
  readonly secrets: Secrets
  readonly databases: ProductDatabases
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
}

/**
 * Runs `work` on the log and the tables of the product that is there, beside it or without it. Throws where there is
 * none; `stopped` is what a signal makes `work` throw.
 */
export async function withCore<T>(stopped: string, work: (parts: CoreParts) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env)
  requireProduct(config)
  return withParts({ need: ['postgres', 'log'], config }, async ({ postgres: databases, log }) => {
    const secrets = openSecrets(config)
    const stop = new AbortController()
    const stores = { database: databases.app, log, secrets }
    const core = await openCore(stores, { onRestore: (error) => stop.abort(error) })
    const stopNow = () => stop.abort(new Error(stopped))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopNow)
    try {
      return await work({ core, secrets, databases, signal: stop.signal })
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopNow)
      await core.close()
    }
  })
}
