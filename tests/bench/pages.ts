import { resolve } from 'node:path'
import autocannon from 'autocannon'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { BUDGET_BYTES, pageSizes } from '../../server/tools/build/page-sizes.ts'
import { cpuOf } from '../support/programs/cpu.ts'
import { startBarePage } from './bare.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, perSecond, ratio } from './figures.ts'
import { withMembers } from './running.ts'

const CONNECTIONS = 10
const MEMBERS = 30

/** The privacy policy asks nothing of its own: what it costs is the frame around every page. */
const PAGES = { Discover: '/discover', 'the frame alone': '/privacy', Chat: '/chat', Notifications: '/notifications' }

/** As a member's browser asks for a page. */
const BROWSER = { 'User-Agent': 'Mozilla/5.0 Chrome/147.0.0.0', 'Accept-Encoding': 'gzip, deflate, br, zstd' }

/** Pages as a member's browser asks for them, each beside a bare Node server that sends the same bytes. */
export async function benchPages(extent: Extent, report: Report): Promise<void> {
  await withMembers(MEMBERS, async (program, [, , viewer]) => {
    const headers = { ...BROWSER, Cookie: `${SESSION_COOKIE}=${viewer?.token}` }
    for (const [name, path] of Object.entries(PAGES))
      report(await benchPage(name, { url: program.url + path, pid: program.pid, headers }, extent))
  })
}

/** What answers, and how it is asked. */
type Asked = { readonly url: string; readonly pid: number; readonly headers: Record<string, string> }

async function benchPage(name: string, page: Asked, { rounds: turns, seconds }: Extent): Promise<Figure> {
  const html = await fetchPage(name, page)
  const bare = await startBarePage(html)
  try {
    const plain = { ...page, url: `http://127.0.0.1:${bare.port}/`, pid: bare.pid }
    const rounds: Record<'own' | 'bare', Load[]> = { own: [], bare: [] }
    // Code that has just been loaded is slow until it has been compiled.
    await loadOn(page, seconds)
    for (let round = 0; round < turns; round++) {
      rounds.own.push(await loadOn(page, seconds))
      rounds.bare.push(await loadOn(plain, seconds))
    }
    return figureOf(`${name} by server rendering, ${Math.round(html.length / 1024)} KB`, rounds.own, rounds.bare)
  } finally {
    bare.stop()
  }
}

async function fetchPage(name: string, { url, headers }: Asked): Promise<string> {
  const page = await fetch(url, { headers, redirect: 'manual' })
  if (page.status !== 200) throw new Error(`${name} answered ${page.status}`)
  return page.text()
}

function figureOf(what: string, own: readonly Load[], bare: readonly Load[]): Figure {
  const middle = (loads: readonly Load[], of: keyof Load) => median(loads.map((load) => load[of]))
  const times = `p50 ${ms(middle(own, 'p50'))}, p99 ${ms(middle(own, 'p99'))}`
  const cpu = `CPU ${ms(middle(own, 'cpu'))} a request, main thread ${ms(middle(own, 'mainCpu'))}`
  return {
    what,
    value: `${perSecond(middle(own, 'rate'))}, ${times}, ${cpu}`,
    against: `bare Node server ${perSecond(middle(bare, 'rate'))}, CPU ${ms(middle(bare, 'cpu'))}`,
    ratio: `1/${Math.round(middle(bare, 'rate') / middle(own, 'rate'))}`,
  }
}

/** Answers in a second, the time of one while so many wait, and what each took of the processor, in milliseconds. */
type Load = { rate: number; p50: number; p99: number; cpu: number; mainCpu: number }

async function loadOn({ url, pid, headers }: Asked, seconds: number): Promise<Load> {
  const before = cpuOf(pid)
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds })
  const after = cpuOf(pid)
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were no page`)
  const answers = result['2xx']
  return {
    rate: answers / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (after.all - before.all) / answers,
    mainCpu: (after.main - before.main) / answers,
  }
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
