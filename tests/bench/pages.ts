import { resolve } from 'node:path'
import autocannon from 'autocannon'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { BUDGET_BYTES, pageSizes } from '../../server/tools/build/page-sizes.ts'
import { startBarePage } from './bare.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, perSecond, ratio } from './figures.ts'
import { withMembers } from './running.ts'

const CONNECTIONS = 10
const MEMBERS = 30

const PAGES = { Discover: '/discover', Chat: '/chat', Notifications: '/notifications' } as const

/** Pages as a member's browser asks for them, each beside a bare Node server that sends the same bytes. */
export async function benchPages(extent: Extent, report: Report): Promise<void> {
  await withMembers(MEMBERS, async ({ url }, [, , viewer]) => {
    const cookie = `${SESSION_COOKIE}=${viewer?.token}`
    const headers = { Cookie: cookie, 'User-Agent': 'Mozilla/5.0 Chrome/147.0.0.0' }
    for (const [name, path] of Object.entries(PAGES)) report(await benchPage(name, url + path, headers, extent))
  })
}

async function benchPage(
  name: string,
  url: string,
  headers: Record<string, string>,
  { rounds: turns, seconds }: Extent,
): Promise<Figure> {
  const page = await fetch(url, { headers, redirect: 'manual' })
  if (page.status !== 200) throw new Error(`${name} answered ${page.status}`)
  const html = await page.text()
  const bare = await startBarePage(html)
  try {
    const rounds: Record<'own' | 'bare', Load[]> = { own: [], bare: [] }
    for (let round = 0; round < turns; round++) {
      rounds.own.push(await loadOn(url, headers, seconds))
      rounds.bare.push(await loadOn(`http://127.0.0.1:${bare.port}/`, headers, seconds))
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

async function loadOn(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were no page`)
  return { rate: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Script of each page, compressed, against the budget. */
export async function benchSizes(_extent: Extent, report: Report): Promise<void> {
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  const sizes = (await pageSizes(resolve('build/client'))).filter(({ page }) => !/^(api|openapi)/.test(page))
  for (const { page, bytes } of sizes) {
    report({
      what: `script of ${page}, gzip`,
      value: kb(bytes),
      against: `budget ${kb(BUDGET_BYTES)}`,
      ratio: ratio(bytes, BUDGET_BYTES),
    })
  }
}
