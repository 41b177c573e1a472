import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { valueOr } from '../../../domain/shared/personal.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { layCluster } from '../../support/cluster.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { preloading } from '../preload.ts'
import { freePort, startProgram } from '../program-child.ts'
import { withCoreOf } from '../program-core.ts'
import { signUp } from '../program-people.ts'
import { CLOCK_FILE } from './clock-shift.ts'
import { diskFull, diskFullSimulated, mountSmall, unmount } from './disk.ts'
import {
  clockAhead,
  clockBehind,
  clockFileOf,
  type Harm,
  logFrozen,
  postgresDead,
  postgresFrozen,
  projectorsBlocked,
} from './harm.ts'
import { match, Observer } from './observer.ts'

const RECOVERS_WITHIN_MS = 60_000
const SMALL_DISK_MB = 400
const PAGE = 2_000
const CLOCK_SHIFT = fileURLToPath(new URL('./clock-shift.ts', import.meta.url))

/**
 * What members saw of one fault. `refused`: writes that failed; `withRetryAfter`: failed answers of status 503 that state
 * when to ask again; `dishonest`: answers that hid a failure or stale rows; `harm`: what the harm itself reports. Times
 * in milliseconds.
 */
export type FaultFigures = {
  fault: string
  seconds: number
  requests: number
  statuses: Record<string, number>
  slowestMs: number
  admittedBehind: number
  refused: number
  withRetryAfter: number
  dishonest: number
  recoveredMs: number
  harm?: object
  lost: number
  doubled: number
  wrong: number
}
export type FaultName =
  | 'postgres frozen'
  | 'postgres dead'
  | 'log frozen'
  | 'projectors blocked'
  | 'disk full'
  | 'disk full, simulated'
  | 'clock an hour ahead'
  | 'clock an hour behind'

const HARMS: Record<FaultName, Harm> = {
  'postgres frozen': postgresFrozen,
  'postgres dead': postgresDead,
  'log frozen': logFrozen,
  'projectors blocked': projectorsBlocked,
  'disk full': diskFull,
  'disk full, simulated': diskFullSimulated,
  'clock an hour ahead': clockAhead,
  'clock an hour behind': clockBehind,
}

/** Does each harm to one running product while a member keeps using it, and looks what they saw and what was left. */
export async function faultDrill(
  faults: readonly (readonly [FaultName, seconds: number])[],
  print: (text: string) => void = () => undefined,
): Promise<FaultFigures[]> {
  const folder = makeTempDir('letsbuzz-drill-')
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const small = faults.some(([name]) => name === 'disk full') && mountSmall(dataDir, SMALL_DISK_MB)
  await layCluster(join(dataDir, 'postgres'))
  const env = { ...preloading(CLOCK_SHIFT), [CLOCK_FILE]: clockFileOf(dataDir) }
  const program = await startProgram({ dataDir, port: await freePort(), env })
  try {
    const [a, b] = [await signUp(program.url, 'ann@example.com'), await signUp(program.url, 'bea@example.com')]
    await match(program.url, a, b)
    const figures: FaultFigures[] = []
    for (const [wanted, seconds] of faults) {
      const fault = wanted === 'disk full' && !small ? 'disk full, simulated' : wanted
      const observer = new Observer(() => program.url, a, b)
      const target = { pid: program.pid, dataDir, refused: observer.refused, newestAt: () => observer.newestAt }
      const ended = await recovered(observer, () => HARMS[fault](target, seconds * 1_000))
      figures.push({ fault, seconds, ...seen(observer), ...ended, ...(await left(dataDir, observer)) })
      print(JSON.stringify(figures.at(-1)))
    }
    return figures
  } finally {
    await program.stop()
    if (small) unmount(dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ended = { recoveredMs: number; harm?: object }
type Work = () => Promise<object | undefined>

async function recovered(observer: Observer, harm: Work): Promise<Ended> {
  try {
    await until('all is well before', () => observer.works(), RECOVERS_WITHIN_MS)
    const done = await harm()
    const endedAt = performance.now()
    await until('all is well again', () => observer.works(), RECOVERS_WITHIN_MS).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(observer.observations.slice(-6))}`)
    })
    return { recoveredMs: Math.round(performance.now() - endedAt), ...(done && { harm: done }) }
  } finally {
    await observer.stop()
  }
}

function seen({ observations, refused }: Observer) {
  const statuses: Record<string, number> = {}
  for (const { what, status } of observations) {
    const key = `${what} ${status ?? 'unanswered'}`
    statuses[key] = (statuses[key] ?? 0) + 1
  }
  return {
    requests: observations.length,
    statuses,
    slowestMs: Math.max(...observations.map(({ ms }) => ms)),
    admittedBehind: observations.filter(({ behind }) => behind).length,
    refused: refused(),
    withRetryAfter: observations.filter(({ withRetryAfter }) => withRetryAfter).length,
    dishonest: observations.filter(({ honest }) => !honest).length,
  }
}

/** What was acknowledged against the log, and the rows against its fold. */
function left(dataDir: string, { acknowledged }: Observer) {
  return withCoreOf(dataDir, async ({ log, codec, storage }) => {
    const counts = new Map<string, number>()
    for (let after = START; ; ) {
      const stored = await log.readAll(after, PAGE)
      for (const event of await codec.decode(stored))
        if (event.type === 'MessageSent') {
          const message = valueOr(event.message, 'erased')
          counts.set(message, (counts.get(message) ?? 0) + 1)
        }
      const last = stored.at(-1)
      if (!last) break
      after = last.position
    }
    const folded = await foldOfLog(log, codec, allProjections)
    return {
      lost: acknowledged.filter((id) => !counts.has(id)).length,
      doubled: [...counts.values()].filter((count) => count > 1).length,
      wrong: (await compareWithTables(storage.pool, allProjections, folded)).length,
    }
  })
}
