import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundled } from '../../support/programs/bundled.ts'
import { cpuOf } from '../../support/programs/cpu.ts'
import { footprintOf, workersOf } from '../footprint.ts'
import type { AttackOrder, AttackOutcome } from './attacker.ts'
import { type Watched, watchDrafts } from './drafts-watch.ts'
import { liveBeside, type Neighbour, quantile } from './honest.ts'
import type { Attackers } from './people.ts'

const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url))
/** Neighbours alone. */
export const QUIET = 'quiet'
export const TOGETHER = 'all at once'

/** What neighbours felt in milliseconds, what came of the attack by its ways, and the program's own memory meanwhile. */
export type AttackFigures = Watched & {
  readonly name: string
  readonly seconds: number
  /** Of each answer. */
  readonly ms: readonly number[]
  readonly p50: number
  readonly p99: number
  readonly slowestUpload: number
  readonly wrong: readonly string[]
  readonly mib: number
  readonly descriptors: number
  /** Share of a core that the threads which run our code took. */
  readonly busy: number
  readonly ways: AttackOutcome
}

/** The program that is attacked, and members who live beside. */
export type Attacked = {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  readonly neighbours: readonly Neighbour[]
}
/** By these ways at once, for so long. */
export type Round = { readonly names: readonly string[]; readonly seconds: number; readonly attackers: Attackers }

export async function attackOnce(
  { url, pid, dataDir, neighbours }: Attacked,
  { names, seconds, attackers }: Round,
): Promise<AttackFigures> {
  let over = false
  const attack = names[0] === QUIET ? quiet(seconds) : await begin({ names, seconds, url, ...attackers })
  const [cpuBefore, startedAt] = [cpuOfServing(pid), performance.now()]
  const living = liveBeside(url, neighbours, () => over)
  const watch = watchDrafts(pid, join(dataDir, 'media/drafts'))
  const ways = await attack.over
  over = true
  const busy = Math.round((100 * (cpuOfServing(pid) - cpuBefore)) / (performance.now() - startedAt)) / 100
  const watched = await watch.stop()
  const { ms, uploads, wrong } = await living
  const { mib, descriptors } = footprintOf(pid)
  const name = names.length > 1 ? TOGETHER : String(names[0])
  const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)]
  const slowestUpload = Math.round(Math.max(0, ...uploads))
  return { name, seconds, ms, p50, p99, slowestUpload, wrong, mib, descriptors, busy, ...watched, ways }
}

const cpuOfServing = (pid: number) => [pid, ...workersOf(pid)].reduce((sum, one) => sum + cpuOf(one).main, 0)

/** An attack that has begun. */
type Under = { readonly over: Promise<AttackOutcome> }

const quiet = (seconds: number): Under => ({ over: pause(seconds * 1_000, {}) })

/** Resolves once the attacker has made what it sends. */
async function begin(order: AttackOrder): Promise<Under> {
  const child = spawn('taskset', ['-c', '0', process.execPath, bundled(ATTACKER)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  child.stdin.end(JSON.stringify(order))
  await lines.next()
  return { over: outcomeOf(lines, gone) }
}

async function outcomeOf(lines: AsyncIterator<string>, gone: Promise<unknown[]>): Promise<AttackOutcome> {
  const last = await lines.next()
  const [code] = await gone
  if (code !== 0 || last.done) throw new Error(`The attacker ended with ${code}.`)
  return JSON.parse(last.value)
}
