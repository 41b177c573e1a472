import type { Server } from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import type { ViteDevServer } from 'vite'
import { ifInstalled } from '../installed.ts'
import { guardRoutes } from './guarded-routes.ts'
import { createNarrowHandler } from './narrow-routes.ts'

/** `routeOf`: the pattern of the page that has an address, or null. */
export type RemixHandler = ((request: Request, context: AppLoadContext) => Promise<Response>) & {
  readonly routeOf?: (pathname: string) => string | null
}

/** The built application of `build/server/index.js`. */
export async function loadBuiltRemix(buildDir: string): Promise<RemixHandler> {
  const entry = path.resolve(buildDir, 'server', 'index.js')
  const build: ServerBuild = await import(pathToFileURL(entry).href)
  return createNarrowHandler({ ...build, routes: guardRoutes(build.routes) })
}

/** The development server: pages are built as they are asked for, and reload as they change. */
export async function startVite(server: Server): Promise<{ vite: ViteDevServer; remix: RemixHandler }> {
  const { createServer } = await ifInstalled('Development', () => import('vite'))
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  const build = async () => {
    const { routes, ...rest } = (await vite.ssrLoadModule('virtual:remix/server-build')) as ServerBuild
    return { ...rest, routes: guardRoutes(routes) }
  }
  const remix = createRequestHandler(build, 'development')
  return { vite, remix }
}
