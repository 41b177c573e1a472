import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import autocannon from 'autocannon'
import { BUDGET_BYTES, pageSizes } from '../../server/cli/bundle-size.ts'
import { type Figure, median, ms, perSecond, ratio } from './figures.ts'

const CONNECTIONS = 10
const SECONDS = 2
const ROUNDS = 3

const PAGES = { Discover: '/discover', Chat: '/chat', Notifications: '/notifications' } as const

/** Pages as a member's browser asks for them, each beside a bare Node server that sends the same bytes. */
export async function benchPages(url: string, cookie: string): Promise<Figure[]> {
  const headers = { Cookie: cookie, 'User-Agent': 'Mozilla/5.0 Chrome/147.0.0.0' }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(PAGES)) figures.push(await benchPage(name, url + path, headers))
  return figures
}

async function benchPage(name: string, url: string, headers: Record<string, string>): Promise<Figure> {
  const page = await fetch(url, { headers, redirect: 'manual' })
  if (page.status !== 200) throw new Error(`${name} answered ${page.status}`)
  const html = await page.text()
  const bare = await startBareServer(html)
  try {
    const rounds: Record<'own' | 'bare', Load[]> = { own: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      rounds.own.push(await loadOn(url, headers))
      rounds.bare.push(await loadOn(bare.url, headers))
    }
    const middle = (loads: Load[], of: keyof Load) => median(loads.map((load) => load[of]))
    const [own, other] = [middle(rounds.own, 'rate'), middle(rounds.bare, 'rate')]
    const times = `p50 ${ms(middle(rounds.own, 'p50'))}, p99 ${ms(middle(rounds.own, 'p99'))}`
    return {
      what: `${name} by server rendering, ${Math.round(html.length / 1024)} KB`,
      value: `${perSecond(own)}, ${times}`,
      against: `bare Node server ${perSecond(other)}`,
      ratio: ratio(own, other),
    }
  } finally {
    bare.stop()
  }
}

/** Answers in a second, and the time of one while so many wait, in milliseconds. */
type Load = { rate: number; p50: number; p99: number }

async function loadOn(url: string, headers: Record<string, string>): Promise<Load> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were no page`)
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

const BARE = `
  const html = Buffer.from(process.env.BARE_HTML)
  const server = require('node:http').createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': html.length })
    response.end(html)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

async function startBareServer(html: string): Promise<{ url: string; stop(): void }> {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production', BARE_HTML: html.slice(0, 100_000) }
  const child = spawn(process.execPath, ['-e', BARE], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}/`, stop: () => void child.kill() }
}

/** Script of each page, compressed, against the budget. */
export async function benchSizes(): Promise<Figure[]> {
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  const sizes = (await pageSizes(resolve('build/client'))).filter(({ page }) => !/^(api|openapi)/.test(page))
  return sizes.map(({ page, bytes }) => ({
    what: `script of ${page}, gzip`,
    value: kb(bytes),
    against: `budget ${kb(BUDGET_BYTES)}`,
    ratio: ratio(bytes, BUDGET_BYTES),
  }))
}
