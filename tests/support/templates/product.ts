import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { loadConfig } from '../../../server/config.ts'
import { createProduct } from '../../../server/product.ts'
import { createLogger } from '../../../services/log.ts'
import { logTemplate } from '../log.ts'
import { type Template, testDatabase } from '../postgres.ts'
import { makeTempDir } from '../temp-folder.ts'

const START_MS = 60_000

/** As the first start of a product leaves its database: migrated, with every read model live over an empty log. */
export const productTemplate: Template = {
  name: 'product',
  async migrate(database) {
    const dataDir = makeTempDir('letsbuzz-template-')
    const logDatabase = await testDatabase({ template: logTemplate })
    const log = await startLogServer({ database: logDatabase.config })
    const secret = () => randomBytes(32).toString('hex')
    const secrets = { masterKey: randomBytes(32), emailPepper: secret(), mediaSecret: secret() }
    const product = await createProduct({
      stores: { database, log: log.connectionString, secrets },
      config: { ...loadConfig({}), dataDir },
      publicUrl: 'http://localhost',
      now: () => new Date(),
      logger: createLogger({ level: 'silent' }),
    })
    await product.start()
    // Whoever copies the template brings keys of their own.
    await product.core.storage.pool.query('truncate app.master_key, app.kept_key')
    const caughtUp = await product.caughtUp(await product.core.log.head(), undefined, START_MS)
    await product.stop()
    await log.stop()
    await Promise.all([logDatabase.drop(), rm(dataDir, { recursive: true, force: true })])
    if (!caughtUp) throw new Error('The read models of the template did not start.')
  },
}
