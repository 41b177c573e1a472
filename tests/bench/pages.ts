import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import autocannon from 'autocannon'
import { BUDGET_BYTES, pageSizes } from '../../server/cli/bundle-size.ts'
import { type Figure, median, perSecond, ratio } from './figures.ts'

const CONNECTIONS = 10
const SECONDS = 4
const ROUNDS = 3

/** Discover as a member's browser asks for it, beside a bare Node server that sends the same bytes. */
export async function benchPages(url: string, cookie: string): Promise<Figure[]> {
  const headers = { Cookie: cookie, 'User-Agent': 'Mozilla/5.0 Chrome/147.0.0.0' }
  const page = await fetch(`${url}/discover`, { headers, redirect: 'manual' })
  if (page.status !== 200) throw new Error(`Discover answered ${page.status}`)
  const html = await page.text()
  const bare = await startBareServer(html)
  try {
    const rates: Record<'own' | 'bare', number[]> = { own: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.own.push(await requestsPerSecond(`${url}/discover`, headers))
      rates.bare.push(await requestsPerSecond(bare.url, headers))
    }
    const [own, other] = [median(rates.own), median(rates.bare)]
    const size = `${Math.round(html.length / 1024)} KB`
    return [
      {
        what: `Discover by server rendering, ${size}`,
        value: perSecond(own),
        against: `bare Node server ${perSecond(other)}`,
        ratio: ratio(own, other),
      },
    ]
  } finally {
    bare.stop()
  }
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were no page`)
  return result.requests.average
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
