import WebSocket from 'ws'
import { LiveConnection } from '../../../app/live/connection.ts'
import type { ResyncReason } from '../../../realtime/protocol.ts'
import type { Config } from '../../../server/config.ts'
import { findPort } from '../../../server/http/free-port.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { createLogger } from '../../../services/log.ts'
import { serveWeb } from '../../support/described/serve-web.ts'
import type { Person } from '../../support/world-people.ts'
import type { Node, Rig } from './rig.ts'

/** The port of a node, behind which each page is one word. */
export async function portOf({ world }: Rig, { product }: Node, roles: Config['roles']): Promise<HttpServer> {
  const logger = createLogger({ level: 'silent' })
  const remix = async () => new Response('a page', { headers: { 'Content-Type': 'text/html' } })
  const port = await findPort(0, '127.0.0.1')
  const config = { ...world.config, roles, port }
  return serveWeb({
    product,
    config,
    port,
    publicUrl: `http://localhost:${port}`,
    now: () => new Date(),
    logger,
    remix,
  })
}

/** What a page of the product does with its socket: `reloads` are the reasons for which it read itself again. */
export function pageOf({ port }: HttpServer, { token }: Person, from: string, shown: () => string) {
  const seen: string[] = []
  const reloads: ResyncReason[] = []
  const tries = { refused: 0 }
  const live = new LiveConnection({
    url: `ws://127.0.0.1:${port}/realtime`,
    from,
    token: () => token,
    async reload(reason) {
      reloads.push(reason)
      return shown()
    },
    open(to) {
      const ws = new WebSocket(to, { origin: `http://127.0.0.1:${port}` })
      ws.on('error', () => tries.refused++)
      return ws as unknown as globalThis.WebSocket
    },
  })
  live.on('direct:message', ({ data }) => seen.push(data.text ?? ''))
  return { live, seen, reloads, tries }
}
