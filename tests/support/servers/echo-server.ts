import type { AppLoadContext } from '@remix-run/node'
import { type HttpServer, type HttpServerOptions, startHttpServer } from '../../../server/http/http-server.ts'

export type EchoOptions = Partial<HttpServerOptions> & {
  /** Called for each request that reached the application and may have changed something. */
  onWrite?: (request: Request) => void
}

async function application(request: Request, context: AppLoadContext): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET') await request.text()
  if (pathname.endsWith('/throws')) throw new Error('kaput')
  if (pathname === '/redirect') return new Response(null, { status: 302, headers: { Location: '/page' } })
  if (pathname === '/api/not-json') return new Response('No action', { status: 405 })
  if (pathname === '/api/ip') return Response.json({ ip: context.ip })
  if (pathname.startsWith('/api')) return Response.json({ ok: true })
  const body = pathname === '/long' ? 'x'.repeat(20_000) : `<!doctype html>nonce=${context.nonce}`
  return new Response(body, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** The web port with a small application of a few paths behind it. */
export function startEcho({ onWrite, ...options }: EchoOptions = {}): Promise<HttpServer> {
  return startHttpServer({
    host: '127.0.0.1',
    port: 0,
    mode: 'local',
    trustProxy: false,
    buildDir: 'tests/support/no-build',
    contextFor: (_request, client) => ({ nonce: client.nonce, ip: client.ip }) as unknown as AppLoadContext,
    raw: [(request) => (/\/(raw|healthz)$/.test(request.url) ? new Response('raw') : null)],
    remix: (request, context) => {
      if (request.method !== 'GET') onWrite?.(request)
      return application(request, context)
    },
    ...options,
  })
}
