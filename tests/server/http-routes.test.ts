import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { type AgnosticDataRouteObject, matchRoutes } from '@remix-run/router'
import { beforeAll, expect, test } from 'vitest'
import { firstSegment, type Routes, routesUnder, segmentsOf } from '../../server/http/route-segments.ts'
import { buildApp } from '../../server/tools/cli/build.ts'

let routes: ServerBuild['routes']

beforeAll(async () => {
  await buildApp(process.cwd(), true)
  const build: ServerBuild = await import(pathToFileURL(resolve('build/server/index.js')).href)
  routes = build.routes
})

/** As the router nests them. */
function nested(flat: Routes, parent?: string): AgnosticDataRouteObject[] {
  return Object.entries(flat).flatMap(([id, route]) => {
    const { parentId, path, index } = route as { parentId?: string; path?: string; index?: boolean }
    if (parentId !== parent) return []
    return [index ? { id, path, index } : { id, path, children: nested(flat, id) }] as AgnosticDataRouteObject[]
  })
}

const matched = (flat: Routes, pathname: string) =>
  matchRoutes(nested(flat), pathname)?.map(({ route, params }) => [route.id, params])

test('a path matches among the routes of its first segment what it matches among all', () => {
  const own = Object.keys(routes).flatMap((id) => {
    const whole = [id]
    for (let above = routes[id]?.parentId; above; above = routes[above]?.parentId) whole.unshift(above)
    const path = whole.map((one) => routes[one]?.path ?? '').filter(Boolean)
    return [`/${path.join('/').replaceAll(/:\w+/g, 'x').replace('*', 'a/b')}`]
  })
  const odd = ['/', '/nobody', '/Discover', '/discover/', '/%64iscover', '/chat/%2F', '/API/Likes', '/api', '/api/a/b']
  for (const pathname of [...own, ...odd]) {
    const segment = firstSegment(pathname)
    const known = segmentsOf(routes).includes(segment) ? segment : null
    expect([pathname, matched(routesUnder(routes, known), pathname)]).toEqual([pathname, matched(routes, pathname)])
  }
})

test('a page is matched among a few routes, not among all', () => {
  const all = Object.keys(routes).length
  expect(all).toBeGreaterThan(50)
  expect(Object.keys(routesUnder(routes, 'discover')).sort()).toContain('routes/discover')
  expect(Object.keys(routesUnder(routes, 'discover')).length).toBeLessThan(8)
})

test("a page's data is asked under the page's own segment", () => {
  expect(['/discover.data', '/chat/x.data', '/_root.data'].map(firstSegment)).toEqual(['discover', 'chat', '_root'])
})
