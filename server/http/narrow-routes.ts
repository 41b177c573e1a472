import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import { matchRoutes } from '@remix-run/react'

type RouteObject = Parameters<typeof matchRoutes>[0][number]
type Handler = (request: Request, context: AppLoadContext) => Promise<Response>

/** Shapes of paths whose handler is known without a search; the one that was not asked for the longest goes. */
const KEPT = 500
/** Stands in a shape for whatever is no word of a route. */
const ANY = '*'
const MANIFEST = '/__manifest'
/** How many paths the manifest is asked of, each with those above it: more than the links of any page lead to. */
const MANIFEST_PATHS = 250

/**
 * Answers each request by a handler of the few routes that it needs: a handler goes through all of its routes several
 * times for a page, to match, to render and to list those that the browser knows.
 */
export function createNarrowHandler(build: ServerBuild): Handler {
  const whole = createRequestHandler(build, 'production')
  const tree = treeOf(build.routes)
  const deepest = Math.max(...Object.values(build.routes).map((route) => (route?.path ?? '').split('/').length))
  const words = new Set(Object.values(build.routes).flatMap((route) => (route?.path ?? '').toLowerCase().split(/[/?]/)))
  const handlers = new Map<string, Handler>()
  const kept = new Map<string, Handler>()

  const isTooDeep = (pathname: string) => pathname.split('/', deepest + 3).length > deepest + 2

  /** Remix matches each path of the query and those above it against all routes, before it answers anybody else. */
  function isTooMuch({ searchParams }: URL): boolean {
    const asked = searchParams.getAll('p')
    return asked.some(isTooDeep) || new Set(asked.flatMap(pathsTo)).size > MANIFEST_PATHS
  }

  function handlerOf(routes: readonly string[]): Handler {
    const key = routes.join()
    const handler = handlers.get(key) ?? createRequestHandler(narrowed(build, routes), 'production')
    handlers.set(key, handler)
    return handler
  }

  /** What the routes distinguish paths by; null where a word may be written in another way. */
  function shapeOf(pathname: string): string | null {
    if (pathname.includes('%')) return null
    const parts = pathname.toLowerCase().split('/')
    return parts.map((part) => (words.has(part) ? part : ANY)).join('/')
  }

  function find(pathname: string): Handler {
    // Deeper than any page: to match each path above it takes time by the square of its length.
    if (isTooDeep(pathname)) return whole
    const shape = shapeOf(pathname)
    const handler = (shape !== null && kept.get(shape)) || search(pathname)
    if (shape === null) return handler
    kept.delete(shape)
    kept.set(shape, handler)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
    return handler
  }

  function search(pathname: string): Handler {
    // The browser is to know the pages above this one from the start, with their index, as Remix itself chooses.
    const matches = pathsTo(pathname).map((path) => matchRoutes(tree, path) ?? [])
    const isFound = (matches.at(-1) ?? []).length > 0
    return isFound ? handlerOf([...new Set(matches.flat().map(({ route }) => String(route.id)))].sort()) : whole
  }

  return async (request, context) => {
    const url = new URL(request.url)
    if (url.pathname !== MANIFEST) return find(pageOf(url.pathname))(request, context)
    return isTooMuch(url) ? new Response('Invalid Request', { status: 400 }) : whole(request, context)
  }
}

/** The path and all above it, from the root on. */
const pathsTo = (pathname: string): string[] =>
  pathname.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/') || '/')

/** The page whose data is asked for, as Remix names it. */
const pageOf = (pathname: string): string => pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')

function narrowed(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const some = <T>(routes: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id)))
  return { ...build, routes: some(build.routes), assets: { ...build.assets, routes: some(build.assets.routes) } }
}

function treeOf(routes: ServerBuild['routes'], parentId?: string): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route && (route.parentId || undefined) === parentId)
    .map((route) => {
      const { id, path, index, caseSensitive } = route as NonNullable<typeof route>
      const known = { id, ...(path !== undefined && { path }), ...(caseSensitive !== undefined && { caseSensitive }) }
      return index ? { ...known, index } : { ...known, children: treeOf(routes, id) }
    })
}
