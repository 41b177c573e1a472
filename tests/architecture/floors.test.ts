import { builtinModules } from 'node:module'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { edges, FOLDERS, importsOf, sources, topFolders } from './source.ts'

/** Folder to what it may import beside itself; a folder not named here may import nothing (ARCHITECTURE.md). */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'domain/shared': [],
  domain: ['domain/shared'],
  eventstore: ['domain'],
  services: ['domain/shared'],
  projections: ['domain', 'eventstore'],
  usecases: ['domain', 'eventstore', 'services', 'projections'],
  reactors: ['domain', 'eventstore', 'services', 'projections', 'usecases'],
  realtime: ['domain', 'eventstore', 'services', 'projections', 'usecases'],
  app: ['domain', 'eventstore', 'services', 'projections', 'usecases', 'realtime/protocol.ts'],
  server: [
    'domain',
    'eventstore',
    'services',
    'projections',
    'usecases',
    'reactors',
    'realtime',
    'app',
    'migrations',
    'remix.config.js',
    'vite.config.ts',
    'build',
  ],
  migrations: [],
}

const files = sources()
const imports = edges(files)
const folderOf = (path: string) => (path.startsWith('domain/shared') ? 'domain/shared' : path.split('/')[0]!)
const within = (path: string, allowed: readonly string[]) =>
  allowed.some((one) => path === one || path.startsWith(`${one}/`))
const contextOf = (path: string) =>
  path.startsWith('domain/') && path.split('/').length > 2 ? path.split('/')[1] : undefined
const packagesOf = (folder: string) =>
  files
    .filter((file) => file.path.startsWith(`${folder}/`))
    .flatMap((file) => importsOf(file).map((specifier) => [file.path, specifier] as const))
    .filter(([, specifier]) => !specifier.startsWith('.'))

test('every folder of code has its floor', () => {
  expect(topFolders().filter((folder) => !within(folder, [...FOLDERS, 'tests']))).toEqual([])
})

test('imports only go down the floors', () => {
  const wrong = imports.filter(([from, to]) => {
    const folder = folderOf(from)
    return folder !== folderOf(to) && !within(to, MAY_IMPORT[folder] ?? [])
  })
  expect(wrong).toEqual([])
})

/** Room of `app` to the rooms that it may import beside itself; what stands at its top may import all. */
const ROOM_MAY_IMPORT: Record<string, readonly string[]> = {
  words: [],
  styles: [],
  request: ['words'],
  forms: ['ui', 'words', 'request'],
  ui: ['forms', 'live', 'shell', 'words', 'request'],
  shell: ['ui', 'forms', 'live', 'words', 'request'],
  live: ['ui', 'shell', 'words'],
  api: ['words', 'request'],
  routes: ['ui', 'forms', 'shell', 'live', 'words', 'request'],
}
/** Addresses that serve `app/api`. */
const API_ROUTE = /^app\/routes\/(api[.]|openapi)/
const inApp = imports.filter(([from, to]) => from.startsWith('app/') && to.startsWith('app/'))
const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1]! : 'top')
const pageOf = (path: string) => (path.startsWith('app/routes/') ? path.split('/')[2]! : undefined)

test('inside the app a room imports what its row allows', () => {
  const wrong = inApp.filter(([from, to]) => {
    const [mine, theirs] = [roomOf(from), roomOf(to)]
    if (mine === theirs || mine === 'top') return false
    return !ROOM_MAY_IMPORT[mine]?.includes(theirs) && !(theirs === 'api' && API_ROUTE.test(from))
  })
  expect(wrong).toEqual([])
})

test('a page imports no file of another page', () => {
  const wrong = inApp.filter(([from, to]) => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))
  expect(wrong).toEqual([])
})

test('use cases know nothing of requests, pages, words and SQL', () => {
  const web = /^(@remix-run|react|@conform-to|remix-auth|kysely|pg)/
  expect(packagesOf('usecases').filter(([, name]) => web.test(name))).toEqual([])
})

/** Sentences but those of exceptions, which no screen shows, and numbers that are statuses of HTTP. */
function wordsAndStatuses(tree: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) return
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
    if (isText && / .*[.!?…][`']$/s.test(node.getText())) found.push(node.getText())
    if (ts.isNumericLiteral(node) && /^[45]\d\d$/.test(node.text)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

test('use cases hold no sentence and no status', () => {
  const wrong = files
    .filter(({ path }) => path.startsWith('usecases/'))
    .flatMap(({ path, tree }) => wordsAndStatuses(tree).map((what) => [path, what]))
  expect(wrong).toEqual([])
})

test('no bounded context imports another', () => {
  const wrong = imports.filter(([from, to]) => {
    const [mine, theirs] = [contextOf(from), contextOf(to)]
    return mine && theirs && mine !== theirs && theirs !== 'shared'
  })
  expect(wrong).toEqual([])
})

test('the domain imports no package but zod', () => {
  expect(packagesOf('domain').filter(([, name]) => name !== 'zod')).toEqual([])
})

test('migrations import nothing but kysely and each other', () => {
  expect(packagesOf('migrations').filter(([, name]) => name !== 'kysely')).toEqual([])
})

test('the embedded log server imports nothing of the product but how bytes are written, and silence is noticed', () => {
  const shared = ['eventstore/protobuf', 'eventstore/postgres']
  const wrong = imports.filter(
    ([from, to]) => from.startsWith('eventstore/embedded/') && !within(to, ['eventstore/embedded', ...shared]),
  )
  expect(wrong).toEqual([])
  expect(imports.filter(([from, to]) => within(from, shared) && !within(to, shared))).toEqual([])
})

test('the product imports the embedded log server in one folder alone', () => {
  const wrong = imports.filter(
    ([from, to]) => to.startsWith('eventstore/embedded/') && !/^(eventstore\/embedded|server)\//.test(from),
  )
  expect(wrong).toEqual([])
})

/** What a hostile file is read by; both end with the worker process that they are loaded into. */
const PARSERS = /^(sharp|mediabunny)$/

test('what members send is parsed in a worker process alone', () => {
  const outside = (path: string) => !path.startsWith('services/media/parse/')
  const parsers = packagesOf('services').filter(([path, name]) => outside(path) && PARSERS.test(name))
  expect(parsers).toEqual([])
  const intoParse = edges(files, true).filter(([from, to]) => outside(from) && !outside(to))
  expect(intoParse).toEqual([])
})

test('a worker process that parses reaches no database, no log and no configuration', () => {
  const reached = new Set(['services/media/parse/media-process.ts'])
  const running = edges(files, true)
  for (const file of reached) for (const [from, to] of running) if (from === file) reached.add(to)
  const known = /^(services\/media\/(parse\/.*|kinds\.ts|sealed-draft\.ts)|domain\/shared\/.*)$/
  expect([...reached].filter((path) => !known.test(path))).toEqual([])
})

/** What of the pages runs in a browser; the server's part of a route is cut out of it, and calls are the server's. */
const inBrowser = (path: string) =>
  path.startsWith('app/') && !/\.server\.tsx?$|entry\.server|^app\/(routes|api)\//.test(path)

test('the browser code of pages imports no server package', () => {
  const server = /^(node:|pg$|kysely|ws$|sharp|pino|zod$|@eventstore|@node-rs|@zxcvbn-ts|nodemailer)/
  const wrong = packagesOf('app').filter(
    ([path, name]) => inBrowser(path) && (server.test(name) || builtinModules.includes(name)),
  )
  expect(wrong).toEqual([])
})

test('the browser code of pages takes but types from the floors of the server', () => {
  const running = edges(files, true).filter(
    ([from, to]) => inBrowser(from) && /^(eventstore|services|projections|usecases)\//.test(to),
  )
  expect(running).toEqual([])
})

test('no file imports itself by way of others', () => {
  const next = new Map<string, string[]>()
  for (const [from, to] of imports) next.set(from, [...(next.get(from) ?? []), to])
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file])
    if (done.has(file)) return
    for (const imported of next.get(file) ?? []) walk(imported, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  expect(cycles).toEqual([])
})
