import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { inspectable } from '../inspector.ts'
import { freePort, startProgram } from '../program-child.ts'
import { collectedFootprint } from './collected.ts'
import { type AttackFigures, attackOnce, QUIET } from './felt.ts'
import { brokenBy, line, type Memory, memoryLine } from './judged.ts'
import { ATTACKS, FIFTY_CLIPS, SMALL_FORMS } from './kinds.ts'
import { type Attackers, makePeople } from './people.ts'

/** Each from a network of its own, with a session. */
const ATTACKERS = 20
const ROUNDS_OF_FIFTY = 5

/**
 * `seconds` for each attack, `togetherSeconds` for all of them at once; then so many of quiet before memory is read, collected.
 * Before it is read for the first time all come at once for `warmSeconds`: what the first request of a kind loads stays.
 */
export type AttackOptions = {
  seconds: number
  togetherSeconds: number
  warmSeconds: number
  quietSeconds: number
  /** Those that are tried alone, too; by default all. */
  alone?: readonly string[]
  attackers?: number
  /** Processes that serve the port of what is attacked; by default one. */
  workers?: number
  /** All ways at once come one time, with no figures of memory to compare. */
  once?: boolean
  print?: (text: string) => void
}
/** `broken`: what went beyond the limits, in words. */
export type AttackResult = Memory & {
  readonly attacks: readonly Omit<AttackFigures, 'ms'>[]
  readonly broken: readonly string[]
}

const ALL = Object.keys(ATTACKS)
const FIFTY = Array.from({ length: ROUNDS_OF_FIFTY }, () => [QUIET, FIFTY_CLIPS]).flat()

/**
 * Attacks a product that it starts, by each way alone and by all at once, from twenty networks on one core, with honest
 * members beside. None of these may be refused, wait or be cut, and nothing of the product may die or stay large. Each attack
 * has attackers of its own, so that what one used up shields nothing from the next; one that did not reach what it attacks has
 * shown nothing.
 */
export async function attackDrill(options: AttackOptions): Promise<AttackResult> {
  const {
    seconds,
    togetherSeconds,
    warmSeconds,
    quietSeconds,
    once = false,
    workers = 1,
    alone = [SMALL_FORMS, ...FIFTY, ...ALL],
  } = options
  const dataDir = makeTempDir('letsbuzz-attack-')
  await layCluster(join(dataDir, 'postgres'))
  const setup = { dataDir, port: await freePort() }
  // Right after the start each of them takes the thread several times as long.
  const [early, later] = alone[0] === SMALL_FORMS ? [alone.slice(0, 1), alone.slice(1)] : [[], alone]
  const [warm, again] = once ? [[], []] : [[ALL], [ALL]]
  const rounds = [...early.map((name) => [name]), ...warm, [QUIET], ...later.map((name) => [name]), ALL, ...again]
  const { neighbours, attackers } = await peopleFor(setup, rounds, options.attackers ?? ATTACKERS)
  const inspectedAt = await freePort()
  const env = { RATE_LIMITS: 'on', WEB_WORKERS: String(workers), ...inspectable(inspectedAt) }
  const program = await startProgram({ ...setup, env })
  const attacked = { ...program, dataDir, neighbours }
  const footprint = () => collectedFootprint(program.pid, inspectedAt)
  const attacks: AttackFigures[] = []
  let round = 0
  const next = (forSeconds: number) => {
    const of = { names: rounds[round] as string[], attackers: attackers[round] as Attackers, seconds: forSeconds }
    round++
    return attackOnce(attacked, of)
  }
  const attack = async (forSeconds: number) => {
    const figures = await next(forSeconds)
    options.print?.(line(figures))
    attacks.push(figures)
  }
  const afterAll = async () => {
    await attack(togetherSeconds)
    await pause(quietSeconds * 1_000)
    return footprint()
  }
  try {
    for (const _ of early) await attack(seconds)
    for (const _ of warm) await next(warmSeconds)
    await next(Math.max(seconds, quietSeconds))
    const before = await footprint()
    for (const _ of later) await attack(seconds)
    const after = await afterAll()
    const memory = { before, after, again: once ? after : await afterAll() }
    options.print?.(memoryLine(memory))
    const broken = brokenBy(attacks, memory, workers)
    return { attacks: attacks.map(({ ms: _, ...figures }) => figures), ...memory, broken }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Signed up where no rate is counted. */
async function peopleFor(setup: { dataDir: string; port: number }, rounds: readonly string[][], each: number) {
  const program = await startProgram(setup)
  try {
    return await makePeople(program.url, rounds, each)
  } finally {
    await program.stop()
  }
}
