import type { Server } from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import type { ViteDevServer } from 'vite'
import { guardRoutes } from './guarded-routes.ts'
import { firstSegment, routesUnder, segmentsOf } from './route-segments.ts'

export type RemixHandler = (request: Request, context: AppLoadContext) => Promise<Response>

/** The built application of `build/server/index.js`. */
export async function loadBuiltRemix(buildDir: string): Promise<RemixHandler> {
  const entry = path.resolve(buildDir, 'server', 'index.js')
  const build: ServerBuild = await import(pathToFileURL(entry).href)
  return handlerBySegment({ ...build, routes: guardRoutes(build.routes) })
}

/**
 * One handler for each first segment of a path, each with the routes that such a path can match. The router goes
 * through all of its routes several times for a page, so few make a page cheaper.
 */
function handlerBySegment(build: ServerBuild): RemixHandler {
  const under = (segment: string | null) => {
    const assets = { ...build.assets, routes: routesUnder(build.assets.routes, segment) }
    return createRequestHandler({ ...build, assets, routes: routesUnder(build.routes, segment) }, 'production')
  }
  const whole = createRequestHandler(build, 'production')
  const other = under(null)
  const handlers = new Map(segmentsOf(build.routes).map((segment) => [segment, under(segment)]))
  return (request, context) => {
    const segment = firstSegment(new URL(request.url).pathname)
    if (segment === '__manifest') return whole(request, context)
    return (handlers.get(segment) ?? other)(request, context)
  }
}

/** The development server: pages are built as they are asked for, and reload as they change. */
export async function startVite(server: Server): Promise<{ vite: ViteDevServer; remix: RemixHandler }> {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  const build = async () => {
    const { routes, ...rest } = (await vite.ssrLoadModule('virtual:remix/server-build')) as ServerBuild
    return { ...rest, routes: guardRoutes(routes) }
  }
  const remix = createRequestHandler(build, 'development')
  return { vite, remix }
}
