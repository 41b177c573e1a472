import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { EventStoreDBClient } from '@eventstore/db-client'
import pg from 'pg'

/**
 * Loaded before a program by `--import`: every statement, append and change of a file passes a named point before and
 * after it, and at the chosen one the process kills itself. The program's own code knows nothing of it.
 *
 * Armed at the start by DRILL_SEAM, or later by SIGUSR2, which reads the file that DRILL_SEAM_FILE names.
 */
export type Seam = {
  /**
   * A regular expression over points such as `before begin ; update … ; commit` or `after append member-…:
   * AccountErased`.
   */
  readonly at: string
  /** Which passing of it, from 1. */
  readonly nth: number
  /** Counts only after this one was passed. */
  readonly since?: string
}

export const SEAM = 'DRILL_SEAM'
export const SEAM_FILE = 'DRILL_SEAM_FILE'
/** What a process prints about the point at which it dies. */
export const DIED_AT = 'died at the seam:'
/** What a process that lived prints in the end: how often it passed what it was to die at. */
export const PASSED = 'points passed:'

let armed: { at: RegExp; left: number; passed: number; since: RegExp | null } | null = null

function arm(text: string): void {
  const { at, nth, since } = JSON.parse(text) as Seam
  armed = { at: new RegExp(at), left: nth, passed: 0, since: since === undefined ? null : new RegExp(since) }
}

function pass(point: string): void {
  if (armed?.since) {
    if (armed.since.test(point)) armed.since = null
    return
  }
  if (!armed?.at.test(point)) return
  armed.passed++
  if (--armed.left > 0) return
  fs.writeSync(2, `${DIED_AT} ${point.slice(0, 1_000)}\n`)
  process.kill(process.pid, 'SIGKILL')
}

const SHOWN = 400
const transactions = new WeakMap<object, string[]>()

/** A statement, with those of its transaction before it. */
function trailOf(client: object, text: string): string {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, SHOWN)
  if (/^begin\b|^start transaction/i.test(statement)) transactions.set(client, [])
  const trail = transactions.get(client)
  trail?.push(statement)
  if (/^(commit|rollback)\b/i.test(statement)) transactions.delete(client)
  return (trail ?? [statement]).join(' ; ')
}

type Query = (this: object, ...given: unknown[]) => unknown
type Callback = (...given: unknown[]) => void
/** A query that speaks the driver's protocol itself, as COPY does. */
type Submitted = { submit?: unknown; handleReadyForQuery: Callback }

function watchStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  prototype.query = function watched(...given) {
    const [first] = given
    const trail = trailOf(this, typeof first === 'string' ? first : ((first as { text?: string })?.text ?? 'other'))
    pass(`before ${trail}`)
    const done = given[given.length - 1]
    if (typeof done === 'function')
      given[given.length - 1] = (...answer: unknown[]) => {
        pass(`after ${trail}`)
        ;(done as Callback)(...answer)
      }
    if (typeof (first as Submitted)?.submit === 'function') afterwards(first as Submitted, () => pass(`after ${trail}`))
    const answer = query.apply(this, given)
    if (!(answer instanceof Promise)) return answer
    return answer.finally(() => pass(`after ${trail}`))
  }
}

function afterwards(query: Submitted, then: () => void): void {
  const { handleReadyForQuery } = query
  query.handleReadyForQuery = function watched(...given) {
    then()
    handleReadyForQuery.apply(this, given)
  }
}

function watchAppends(): void {
  const prototype = EventStoreDBClient.prototype as unknown as { appendToStream: Query }
  const { appendToStream } = prototype
  prototype.appendToStream = async function watched(...given) {
    const [stream, events] = given as [string, { type: string } | { type: string }[]]
    const what = `append ${stream}: ${[events]
      .flat()
      .map(({ type }) => type)
      .join()}`
    pass(`before ${what}`)
    const answer = await appendToStream.apply(this, given)
    pass(`after ${what}`)
    return answer
  }
}

function watchFiles(): void {
  const { rename, rm } = fs.promises
  fs.promises.rename = async (from, to) => {
    pass(`before rename ${String(to)}`)
    await rename(from, to)
    pass(`after rename ${String(to)}`)
  }
  fs.promises.rm = async (path, options) => {
    pass(`before rm ${String(path)}`)
    await rm(path, options)
    pass(`after rm ${String(path)}`)
  }
  syncBuiltinESMExports()
}

/** Only a process that a drill has ordered to. */
if (process.env[SEAM] || process.env[SEAM_FILE]) {
  watchStatements()
  watchAppends()
  watchFiles()
  if (process.env[SEAM]) arm(process.env[SEAM])
  process.on('exit', () => armed && fs.writeSync(2, `${PASSED} ${armed.passed}\n`))
  process.on('SIGUSR2', () => {
    const file = process.env[SEAM_FILE] as string
    arm(fs.readFileSync(file, 'utf8'))
    // Its absence means that the seam is armed.
    fs.rmSync(file)
  })
}
