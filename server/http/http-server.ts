import { createServer, type IncomingMessage, type Server } from 'node:http'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { ROOT } from '../root.ts'
import { startingPage } from './answers.ts'
import { type Client, clientOf, type SiteOptions } from './client.ts'
import { type Caps, type CountConnections, capConnections, countAlone } from './connection-caps.ts'
import type { ConnectionCaps } from './connections.ts'
import { Drain, type StopTimes } from './drain.ts'
import { hasManyHosts } from './entry/hosts.ts'
import { askingWithin, closeBehindOffer } from './entry/offers.ts'
import { pathOf } from './entry/path-of.ts'
import { HEADER_LINES } from './entry/refusal.ts'
import { createHttpHandler, type HttpHandlerOptions } from './handler.ts'
import { type Listener, Turns } from './in-turn.ts'
import { listen } from './listen.ts'
import { listenMore, type MoreListeners } from './listen-more.ts'
import { loadBuiltRemix, type RemixHandler, startVite } from './remix.ts'
import { secure, securityHeaders } from './security-headers.ts'
import { send } from './send.ts'
import { createStaticFiles } from './static-files.ts'
import { Arrivals } from './turns/arrivals.ts'

/** Who asks for a socket. `attended`: it counts no more with the connections of the port, but with whoever took it. */
export type UpgradeClient = Client & { readonly attended: () => void }

/** Takes over a socket, for example a WebSocket server in `noServer` mode. */
export type UpgradeHandler = (incoming: IncomingMessage, socket: Duplex, head: Buffer, client: UpgradeClient) => void

export type HttpServerOptions = Omit<HttpHandlerOptions, 'remix' | 'files' | 'publicUrl' | 'dev' | 'vouch'> & {
  /** 0 takes a free port. */
  port: number
  /** Default: `http://localhost:<port>`. */
  publicUrl?: string
  /** The folder that holds `client` and `server`; default `build`. */
  buildDir?: string
  /** False: raw handlers and sockets alone; everything else is not found. */
  pages?: boolean
  /** Listens once the pages are loaded, on a port that is known: others answer there meanwhile. */
  listensLoaded?: boolean
  /** Takes many connections in each round of the event loop, soon after it listens. */
  takesCrowds?: boolean
  /** Serve through Vite, with hot reload, instead of from the build. */
  dev?: boolean
  /** Replaces the built application, for tests. */
  remix?: RemixHandler
  /** Default: `CONNECTION_CAPS`. */
  caps?: ConnectionCaps
  /** How long a request's connection stays open while nothing comes or goes over it. */
  idleMs?: number
  stopTimes?: StopTimes
  /** Default: of this process alone, within `caps`. */
  connections?: CountConnections
  /** By path, for example `/realtime`. */
  upgrades?: Readonly<Record<string, UpgradeHandler>>
}

export type HttpServer = { port: number; url: string; close(): Promise<void> }

const HEADERS_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 30_000
const REQUEST_TIMEOUT_MS = 300_000
/** Longer than proxies and browsers keep an idle connection: they close it first, and lose no request on a closed one. */
const KEEP_ALIVE_MS = 125_000
/** A refusal that is not read by then is not going to be. */
const REFUSED_MS = 2_000

/** From an upgrade on nobody else listens, and an error without a listener ends the process. */
const destroyIfBroken = (socket: Duplex) => void socket.on('error', () => socket.destroy())

/** Answers by hand on a socket that has no response object: broken HTTP, and upgrades to nowhere. */
function refuseSocket(socket: Duplex, status: string, body = ''): void {
  destroyIfBroken(socket)
  setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  const type = body ? { 'Content-Type': 'text/plain; charset=utf-8' } : {}
  const headers = Object.entries({ ...securityHeaders(), ...type, 'Cache-Control': 'no-store', Connection: 'close' })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  // It has no time limit any more, and whoever sent it may never close their half.
  const head = `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${lines}\r\n`
  if (socket.writable) socket.end(head + body, () => socket.destroy())
  else socket.destroy()
}

/** What node's parser reports for an address, and for all else in front of a body, that is too long. */
const OVERFLOW = 'HPE_HEADER_OVERFLOW'
const TOO_LONG = 'This address is too long. Go back and search for less.\n'

function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === OVERFLOW) refuseSocket(socket, '431 Request Header Fields Too Large', TOO_LONG)
  else refuseSocket(socket, '400 Bad Request')
}

/** Of what a request may expect, only `100-continue` is known. */
const refuseExpectation: Listener = (_incoming, outgoing) =>
  void outgoing.writeHead(417, { ...securityHeaders(), 'Content-Length': 0, Connection: 'close' }).end()

type Sockets = HttpServerOptions & { publicUrl: string; release: Caps['release']; turns: Turns }

function handleSockets(server: Server, { release, turns, ...options }: Sockets): void {
  server.on('clientError', refuseBroken)
  // Node's own answer knows nothing of turns: what waits behind it would wait for ever.
  server.on('checkExpectation', turns.inTurn(refuseExpectation))
  server.on('connect', (incoming, socket) => {
    if (turns.isAnswering(incoming.socket)) return void socket.destroy()
    refuseSocket(socket, '405 Method Not Allowed')
  })
  server.on('upgrade', (incoming, socket, head) => {
    // Node writes no more of an answer whose connection is taken over.
    if (turns.isAnswering(incoming.socket)) return void socket.destroy()
    if (hasManyHosts(incoming)) return refuseSocket(socket, '400 Bad Request')
    const protocols = String(incoming.headers['sec-websocket-protocol'] ?? '')
    if (options.dev && protocols.startsWith('vite-')) return
    const take = options.upgrades?.[pathOf(incoming.url) ?? '']
    if (!take) return refuseSocket(socket, '404 Not Found')
    destroyIfBroken(socket)
    take(incoming, socket, head, { ...clientOf(incoming, options), attended: () => release(incoming.socket) })
  })
}

function setLimits(server: Server, idleMs = IDLE_TIMEOUT_MS): void {
  // One more than may come, so that it is refused; without that the parser keeps thousands of lines.
  server.maxHeadersCount = HEADER_LINES + 1
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.timeout = idleMs
  server.keepAliveTimeout = KEEP_ALIVE_MS
}

type Closing = { drain: Drain; arrivals: Arrivals; more?: Promise<MoreListeners | undefined> | undefined }

/** Stops taking connections but those that have come already, lets running answers end, and cuts what is left after a time. */
async function close(server: Server, { drain, arrivals, more }: Closing): Promise<void> {
  const drained = drain.begin()
  const others = await more
  // With the last handle the kernel resets what still waits in the port's queue.
  await arrivals.untilNone()
  const ended = new Promise((resolve) => server.close(resolve))
  await Promise.all([ended, others?.close()])
  drained()
}

const notFound = async () => new Response(null, { status: 404 })

/** What anybody gets until the pages are there. */
function whileStarting(options: SiteOptions): Listener {
  return (incoming, outgoing) => {
    const client = clientOf(incoming, options)
    const answer = startingPage(incoming.method ?? '', pathOf(incoming.url) ?? '/', client)
    send(outgoing, null, secure(answer, client, {})).catch(() => outgoing.destroy())
  }
}

type Loading = HttpServerOptions & { publicUrl: string; vouch: Caps['vouch']; arrivals: Arrivals }
/** What answers; `stop` ends what it runs for that. */
type Answering = { listener: Listener; stop?: () => Promise<void> }

async function answering(server: Server, options: Loading): Promise<Answering> {
  const raw = options.raw ?? []
  const buildDir = options.buildDir ?? path.join(ROOT, 'build')
  if (options.pages === false) {
    const handle = createHttpHandler({ ...options, raw: [...raw, notFound], remix: notFound })
    return { listener: (incoming, outgoing) => void handle(incoming, outgoing) }
  }
  if (options.dev) {
    const { vite, remix } = await startVite(server)
    const handle = createHttpHandler({ ...options, raw, remix })
    const listener: Listener = (incoming, outgoing) =>
      vite.middlewares(incoming, outgoing, () => void handle(incoming, outgoing))
    return { listener, stop: () => vite.close() }
  }
  const remix = options.remix ?? (await loadBuiltRemix(buildDir))
  const files = await createStaticFiles(path.join(buildDir, 'client'))
  const handle = createHttpHandler({ ...options, raw, remix, files })
  return { listener: (incoming, outgoing) => void handle(incoming, outgoing) }
}

/** Starts the web port. Rejects with words that name PORT when it is taken. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const publicUrlOf = (port: number) => options.publicUrl ?? `http://localhost:${port}`
  let listener = whileStarting({ ...options, publicUrl: publicUrlOf(options.port) })
  const turns = new Turns()
  const drain = new Drain(options.stopTimes)
  const begin = drain.counting(turns.inTurn((incoming, outgoing) => listener(incoming, outgoing)))
  const asking = { IncomingMessage: askingWithin((incoming) => turns.isTooMany(incoming)) }
  const server = createServer(asking, (incoming, outgoing) => {
    closeBehindOffer(incoming, outgoing)
    begin(incoming, outgoing)
  })
  drain.watch(server)
  setLimits(server, options.idleMs)
  const arrivals = new Arrivals(options.stopTimes?.takesMs)
  const closing = new AbortController()
  server.on('connection', () => arrivals.note())
  const { vouch, release } = capConnections(server, options.connections ?? countAlone(options.caps), options.trustProxy)
  const load = (publicUrl: string) => answering(server, { ...options, publicUrl, vouch, arrivals })
  const early = options.listensLoaded ? await load(publicUrlOf(options.port)) : undefined
  if (early) listener = early.listener
  const port = await listen(server, options.port, options.host)
  const publicUrl = publicUrlOf(port)
  handleSockets(server, { ...options, publicUrl, release, turns })
  const more = options.takesCrowds ? listenMore(server, { signal: closing.signal }).catch(() => undefined) : undefined
  try {
    const { listener: loaded, stop } = early ?? (await load(publicUrl))
    listener = loaded
    const closeAll = async () => {
      await stop?.()
      closing.abort()
      await close(server, { drain, arrivals, more })
    }
    return { port, url: publicUrl, close: closeAll }
  } catch (error) {
    await close(server, { drain, arrivals, more })
    throw error
  }
}
