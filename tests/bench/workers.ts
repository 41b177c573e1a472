import { cpus } from 'node:os'
import autocannon from 'autocannon'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { descendantsOf, type Program } from '../drills/program-child.ts'
import type { Caller } from '../drills/program-people.ts'
import { cpuOf } from '../support/programs/cpu.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, perSecond, ratio } from './figures.ts'
import { withMembers } from './running.ts'

const MEMBERS = 12
const CONNECTIONS = 16
const PAGES = { Discover: '/discover', 'the frame alone': '/privacy' }

/**
 * The same pages by one process and by two workers with their primary, in turns. Who asks has its share of the same cores:
 * two workers are twice as fast only where there are cores for both, for their primary and for who asks.
 */
export async function benchWorkers(extent: Extent, report: Report): Promise<void> {
  await withMembers(MEMBERS, async (one, [, , viewerOfOne]) => {
    const measure = async (two: Program, [, , viewerOfTwo]: readonly Caller[]) => {
      const single = { program: one, token: viewerOfOne?.token ?? '' }
      const workers = { program: two, token: viewerOfTwo?.token ?? '' }
      for (const [name, path] of Object.entries(PAGES)) report(await compare(name, path, { single, workers }, extent))
    }
    await withMembers(MEMBERS, measure, { WEB_WORKERS: '2' })
  })
}

type Asked = { readonly program: Program; readonly token: string }
type Load = { readonly rate: number; readonly p50: number; readonly p99: number; readonly cpu: number }

async function compare(
  name: string,
  path: string,
  { single, workers }: Readonly<Record<'single' | 'workers', Asked>>,
  { rounds, seconds }: Extent,
): Promise<Figure> {
  // Code that has just been loaded is slow until it has been compiled, and each worker has its own.
  for (const warm of [single, workers, workers]) await loadOn(warm, path, seconds)
  const loads: Record<'single' | 'workers', Load[]> = { single: [], workers: [] }
  for (let round = 0; round < rounds; round++) {
    loads.single.push(await loadOn(single, path, seconds))
    loads.workers.push(await loadOn(workers, path, seconds))
  }
  const [one, two] = [middleOf(loads.single), middleOf(loads.workers)]
  return {
    what: `${name} by two workers, ${cpus().length} cores`,
    value: lineOf(two),
    against: `one process ${lineOf(one)}`,
    ratio: ratio(two.rate, one.rate),
  }
}

const lineOf = ({ rate, p50, p99, cpu }: Load) =>
  `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}, CPU ${ms(cpu)} a request`

function middleOf(loads: readonly Load[]): Load {
  const middle = (of: keyof Load) => median(loads.map((load) => load[of]))
  return { rate: middle('rate'), p50: middle('p50'), p99: middle('p99'), cpu: middle('cpu') }
}

/** Of all processes of the program that are there, Postgres and the log with them. */
const cpuOfAll = (pid: number) => new Map([pid, ...descendantsOf(pid)].map((one) => [one, cpuOf(one).all]))

async function loadOn({ program, token }: Asked, path: string, seconds: number): Promise<Load> {
  const before = cpuOfAll(program.pid)
  const headers = { Cookie: `${SESSION_COOKIE}=${token}`, 'Accept-Encoding': 'gzip, br' }
  const result = await autocannon({ url: program.url + path, headers, connections: CONNECTIONS, duration: seconds })
  const after = cpuOfAll(program.pid)
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} answers were no page`)
  const answers = result['2xx']
  return {
    rate: answers / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: [...after].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0), 0) / answers,
  }
}
