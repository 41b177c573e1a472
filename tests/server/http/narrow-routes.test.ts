import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import { expect, test } from 'vitest'
import { createNarrowHandler } from '../../../server/http/narrow-routes.ts'

const PATHS = {
  home: undefined,
  chat: 'chat',
  'chat-with': 'chat/:userId',
  'chat-list': 'chat/list',
  'chat-file': 'chat/:userId/file',
  api: 'api/*',
  'api-list': 'api/list',
  settings: 'settings/:section?',
}
const future = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_throwAbortReason: true,
  v3_singleFetch: true,
  v3_lazyRouteDiscovery: true,
}

/** A build whose routes answer by their id and their parameters, and everything else by a page that was not found. */
function build(): ServerBuild {
  const answering = (id: string) => ({
    default: undefined,
    loader: ({ params }: { params: object }) => Response.json({ id, params }),
  })
  const root = { id: 'root', path: '', module: { default: () => null } }
  const routes = Object.entries(PATHS).map(([id, path]) => ({
    id,
    parentId: 'root',
    ...(path === undefined ? { index: true as const } : { path }),
    module: answering(id),
  }))
  const all = [root, ...routes]
  const ofBrowser = ({ id, module: _, ...route }: (typeof all)[number]) => ({
    id,
    ...route,
    module: '',
    hasLoader: true,
    hasAction: false,
    hasClientAction: false,
    hasClientLoader: false,
    hasErrorBoundary: false,
  })
  return {
    mode: 'production',
    entry: {
      module: { default: (_request, status) => new Response('a page', { status }), handleError: () => undefined },
    },
    routes: Object.fromEntries(all.map((route) => [route.id, route])),
    assets: {
      version: '1',
      url: '',
      entry: { module: '', imports: [] },
      routes: Object.fromEntries(all.map((route) => [route.id, ofBrowser(route)])),
    },
    publicPath: '/',
    assetsBuildDirectory: '',
    future,
    isSpaMode: false,
  }
}

type Handler = (request: Request, context: AppLoadContext) => Promise<Response>

async function answerOf(handler: Handler, path: string): Promise<string> {
  const response = await handler(new Request(`http://localhost${path}`), {} as AppLoadContext)
  return `${path} ${response.status} ${await response.text()}`
}

/** Words that the routes distinguish, and one that they do not: paths of up to three of them are more than are remembered. */
const WORDS = ['chat', 'list', 'file', 'api', 'settings', 'anna', ':userId', '']
/** Others, or the same in another writing. */
const AGAIN = ['CHAT', 'list2', '%63hat', '%61pi', 'anna%2Flist', '*']
const ODD = ['/', '//', '/chat/', '/chat//', '/chat/%00', '/unknown', '/api', '/api/', '/apis']
const ALL = [...WORDS, ...AGAIN]
const PAIRS = ['chat', 'file', 'anna'].flatMap((a) => ['list', 'file', 'anna'].map((b) => [a, b] as const))
const paths = [
  ...ODD,
  ...ALL.flatMap((a) => [`/${a}`, ...ALL.map((b) => `/${a}/${b}`)]),
  ...WORDS.flatMap((a) => WORDS.flatMap((b) => WORDS.map((c) => `/${a}/${b}/${c}`))),
  ...AGAIN.flatMap((again) =>
    PAIRS.flatMap(([a, b]) => [`/${again}/${a}/${b}`, `/${a}/${again}/${b}`, `/${a}/${b}/${again}`]),
  ),
]

test('every path is answered as by all routes, however often and in whatever order it was asked for', async () => {
  const [whole, narrow] = [createRequestHandler(build(), 'production'), createNarrowHandler(build())]
  const expected = new Map<string, string>()
  for (const path of paths) expected.set(path, await answerOf(whole, path))
  for (const order of [paths, [...paths].reverse()])
    for (const path of order) expect(await answerOf(narrow, path)).toBe(expected.get(path))
  expect(expected.get('/chat/anna/file')).toContain('"chat-file"')
})

test('a path in another writing has its own route, and lends it to none that looks like it', () => {
  const { routeOf } = createNarrowHandler(build())
  const paths = ['/%63hat', '/anna', '/chat/anna', '/%63hat/anna', '/anna/anna']
  for (const _again of [1, 2])
    expect(paths.map(routeOf)).toEqual(['/chat', null, '/chat/:userId', '/chat/:userId', null])
})
