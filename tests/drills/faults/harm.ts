import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hours } from '../../../domain/shared/dates.ts'
import { until } from '../../support/until.ts'
import { descendantsOf } from '../program-child.ts'
import { withCoreOf } from '../program-core.ts'

/** `refused`: how many writes have failed so far, as a member saw it; `newestAt`: when the newest message was sent. */
export type Target = { pid: number; dataDir: string; refused: () => number; newestAt: () => Date | null }
/** Does its harm for so many milliseconds and takes it away again. What it answers goes with the figures. */
export type Harm = (target: Target, ms: number) => Promise<object | undefined>

const LOG_PROCESS = 'log-process'
/** By the name of the program file: the title of a running one is its own. */
export const isPostgres = (pid: number) => /^postgres\n?$/.test(textOf(`/proc/${pid}/comm`))
const isLog = (pid: number) => textOf(`/proc/${pid}/cmdline`).includes(LOG_PROCESS)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const signal = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // A session may have ended in this moment.
    }
  }
}

const frozen =
  (is: (pid: number) => boolean): Harm =>
  async ({ pid }, ms) => {
    const pids = descendantsOf(pid).filter(is)
    if (pids.length === 0) throw new Error('There is nothing to freeze.')
    signal(pids, 'SIGSTOP')
    await pause(ms)
    signal(pids, 'SIGCONT')
    return undefined
  }

export const postgresFrozen = frozen(isPostgres)
export const logFrozen = frozen(isLog)

/** Dead the whole time: whatever replaces it dies too. */
export const postgresDead: Harm = async ({ pid }, ms) => {
  for (const end = Date.now() + ms; Date.now() < end; await pause(20))
    signal(descendantsOf(pid).filter(isPostgres), 'SIGKILL')
  return undefined
}

/** Another transaction holds every checkpoint: no projector gets on. */
export const projectorsBlocked: Harm = ({ dataDir }, ms) =>
  withCoreOf(
    dataDir,
    async ({ storage }) => {
      const db = await storage.pool.connect()
      await db.query('begin')
      await db.query('select from app.projection for update')
      await pause(ms)
      await db.query('rollback')
      db.release()
      return undefined
    },
    { settled: false },
  )

/** Read by every process of a program that was started with it. */
export const clockFileOf = (dataDir: string) => join(dataDir, 'clock-shift')

const NOTICED_WITHIN_MS = 60_000
const SLACK_MS = 600_000

/** `messagesOffByMs`: what members' newest message shows of the time, against the time it is. */
const clockOff =
  (by: number): Harm =>
  async ({ dataDir, newestAt }, ms) => {
    writeFileSync(clockFileOf(dataDir), String(by))
    await pause(ms)
    const offBy = () => (newestAt()?.getTime() ?? 0) - Date.now()
    await until('messages bear the other time', () => Math.abs(offBy() - by) < SLACK_MS, NOTICED_WITHIN_MS)
    const messagesOffByMs = offBy()
    rmSync(clockFileOf(dataDir))
    return { messagesOffByMs }
  }

export const clockAhead = clockOff(hours(1))
export const clockBehind = clockOff(-hours(1))
