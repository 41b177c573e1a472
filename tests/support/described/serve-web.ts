import type { HttpServer } from '../../../server/http/http-server.ts'
import { startWeb, type WebOptions } from '../../../server/web.ts'
import { holdToDocument, letGo } from './hold.ts'

/** A port of the product, as `startWeb` has it, whose answers are checked against `/openapi.json` until it is closed. */
export async function serveWeb(options: WebOptions): Promise<HttpServer> {
  const server = await startWeb(options)
  const url = `http://localhost:${server.port}`
  holdToDocument(url)
  return { ...server, close: () => server.close().finally(() => letGo(url)) }
}
