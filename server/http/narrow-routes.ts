import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import { matchRoutes } from '@remix-run/react'

type RouteObject = Parameters<typeof matchRoutes>[0][number]
type Handler = (request: Request, context: AppLoadContext) => Promise<Response>
type NarrowHandler = Handler & { readonly routeOf: (pathname: string) => string | null }
/** Its handler, and the pattern of its page. */
type Found = { readonly handler: Handler; readonly route: string | null }

/** Shapes of paths whose handler is known without a search; the one that was not asked for the longest goes. */
const KEPT = 500
/** Stands in a shape for whatever is no word of a route. */
const ANY = '*'
const MANIFEST = '/__manifest'
/** How many paths the manifest is asked of, each with those above it: more than the links of any page lead to. */
const MANIFEST_PATHS = 250

/**
 * Answers each request by a handler of the few routes that it needs: a handler goes through all of its routes several
 * times for a page, to match, to render and to list those that the browser knows. `routeOf`: the pattern of the page that has
 * an address, or null.
 */
export function createNarrowHandler(build: ServerBuild): NarrowHandler {
  const whole = createRequestHandler(build, 'production')
  const none: Found = { handler: whole, route: null }
  const tree = treeOf(build.routes)
  const deepest = Math.max(...Object.values(build.routes).map((route) => (route?.path ?? '').split('/').length))
  const words = new Set(Object.values(build.routes).flatMap((route) => (route?.path ?? '').toLowerCase().split(/[/?]/)))
  const handlers = new Map<string, Handler>()
  const kept = new Map<string, Found>()

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

  function find(pathname: string): Found {
    // Deeper than any page: to match each path above it takes time by the square of its length.
    if (isTooDeep(pathname)) return none
    const shape = shapeOf(pathname)
    const found = (shape !== null && kept.get(shape)) || search(pathname)
    if (shape === null) return found
    kept.delete(shape)
    kept.set(shape, found)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
    return found
  }

  function search(pathname: string): Found {
    // The browser is to know the pages above this one from the start, with their index, as Remix itself chooses.
    const matches = pathsTo(pathname).map((path) => matchRoutes(tree, path) ?? [])
    const own = matches.at(-1) ?? []
    if (own.length === 0) return none
    const ids = new Set(matches.flat().map(({ route }) => String(route.id)))
    const route = `/${own.flatMap(({ route: { path } }) => path || []).join('/')}`
    return { handler: handlerOf([...ids].sort()), route }
  }

  const answer: Handler = async (request, context) => {
    const url = new URL(request.url)
    if (url.pathname !== MANIFEST) return find(pageOf(url.pathname)).handler(request, context)
    return isTooMuch(url) ? new Response('Invalid Request', { status: 400 }) : whole(request, context)
  }
  return Object.assign(answer, { routeOf: (pathname: string) => find(pageOf(pathname)).route })
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
