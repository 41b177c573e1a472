import { createDispatch } from '../../eventstore/dispatch.ts'
import { openLog } from '../../eventstore/log.ts'
import type { HttpServer } from '../../server/http/http-server.ts'
import type { Product } from '../../server/product.ts'
import { createLogger } from '../../services/log.ts'
import { silentServer } from './servers/silent-log.ts'
import type { World } from './world.ts'

/** How long a question to the silent log may take by default, in milliseconds. */
const ANSWER_MS = 100

/** More pages of the same world, over another core. */
export async function pagesOver({ product, config, publicUrl }: World, core: Product['core']): Promise<HttpServer> {
  // Only now: whoever wants the names of the tests does not read the product.
  const { serveWeb } = await import('./described/serve-web.ts')
  const logger = createLogger({ level: 'silent' })
  const now = () => new Date()
  return serveWeb({ product: { ...product, core }, config, port: 0, publicUrl, now, logger })
}

/** Pages of the same world whose log takes what it is asked and answers nothing, as one that is stopped in the middle. */
export async function pagesOverSilentLog(world: World, answerMs = ANSWER_MS) {
  const { core } = world.product
  const silent = await silentServer()
  const { connectionString } = silent
  const log = openLog({ connectionString, answerMs, giveUpMs: answerMs })
  const pages = await pagesOver(world, {
    ...core,
    log,
    ...createDispatch({ log, codec: core.codec, keys: core.keys }),
  })
  return {
    port: pages.port,
    async stop() {
      await pages.close()
      await log.close()
      silent.stop()
    },
  }
}
export type SilentPages = Awaited<ReturnType<typeof pagesOverSilentLog>>
