import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The least that a Node process can do for the same: what a machine gives without the product. */
export type Bare = { port: number; pid: number; readyMs: number; stop(): void }

const PAGE = `
  const html = require('node:zlib').gzipSync(process.env.BARE_HTML)
  const encoded = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip', 'Content-Length': html.length }
  const server = require('node:http').createServer((_request, response) => {
    response.writeHead(200, encoded)
    response.end(html)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

const RELAY = `
  const server = new (require('ws').WebSocketServer)({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => socket.on('message', (data) => {
    for (const other of server.clients) if (other !== socket) other.send(data)
  }))
  server.on('listening', () => console.log(server.address().port))`

/** A server that answers everything with the same bytes, compressed beforehand; with at most so many as fit into its environment. */
export const startBarePage = (html: string) => startBare(PAGE, { BARE_HTML: html.slice(0, 100_000) })
/** Sockets whose every message goes to all others at once, stored nowhere. */
export const startBareRelay = () => startBare(RELAY, {})

async function startBare(script: string, env: Readonly<Record<string, string>>): Promise<Bare> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  const readyMs = performance.now() - startedAt
  return { port: Number(String(port).trim()), pid: child.pid as number, readyMs, stop: () => void child.kill() }
}
