/** What is read of a route, by id: its path below its parent's. */
export type Route = { readonly path?: string | undefined; readonly parentId?: string | undefined }
export type Routes<R extends Route = Route> = Readonly<Record<string, R | undefined>>

/** Of a request's pathname, as the router compares it; a page's data is asked under the page's name. */
export function firstSegment(pathname: string): string {
  const segment = pathname.split('/')[1]?.replace(/\.data$/, '') ?? ''
  try {
    return decodeURIComponent(segment).toLowerCase()
  } catch {
    return segment.toLowerCase()
  }
}

/** Every segment that some route begins with, in lower case. */
export function segmentsOf(routes: Routes): string[] {
  const firsts = Object.keys(routes).map((id) => beginning(routes, id))
  return [...new Set(firsts.filter((first) => first !== null))]
}

/** The routes that a path with this first segment can match: those that begin with it, and those for any path. */
export function routesUnder<R extends Route>(routes: Routes<R>, segment: string | null): Record<string, R> {
  const kept = Object.keys(routes).filter((id) => {
    const first = beginning(routes, id)
    return first === null || first === segment
  })
  return Object.fromEntries(kept.map((id) => [id, routes[id] as R]))
}

/** The first segment of a route's whole path; null where that is none, a parameter, optional or the rest of a path. */
function beginning(routes: Routes, id: string): string | null {
  const route = routes[id]
  if (!route) return null
  const above = route.parentId === undefined ? null : beginning(routes, route.parentId)
  const first = above ?? route.path?.split('/').find((part) => part !== '') ?? null
  return first === null || /^[:*]|\?$/.test(first) ? null : first.toLowerCase()
}
