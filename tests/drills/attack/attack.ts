import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { layCluster } from '../../support/cluster.ts'
import { bundled } from '../../support/programs/bundled.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { footprintOf } from '../footprint.ts'
import { inspectable } from '../inspector.ts'
import { freePort, type Program, startProgram } from '../program-child.ts'
import { type Caller, call, signUpMany } from '../program-people.ts'
import type { AttackOrder } from './attacker.ts'
import { type Collected, collectedFootprint } from './collected.ts'
import { liveBeside, type Neighbour, quantile } from './honest.ts'
import { ATTACKS, FIFTY_CLIPS, SMALL_FORMS } from './kinds.ts'

const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url))
const NEIGHBOURS = 4
/** Twenty attackers from twenty networks, each with a session. */
const ATTACKERS = 20
/** Neighbours alone. */
const QUIET = 'quiet'
const HIGHEST_P99_MS = 500
const SLOWEST_UPLOAD_MS = 15_000
/** What fifty bad files cost others: so many times what they wait without any, where that can be measured at all. */
const COST_OF_FIFTY = 2
/** In one round a single slow answer is the hundredth: the answers of so many rounds are one sample. */
const ROUNDS_OF_FIFTY = 5
const MEASURABLE_MS = 50
const HIGHEST_GROWTH = 1.2
/** Descriptors of idle connections and pools come and go. */
const SPARE_DESCRIPTORS = 40

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
  print?: (text: string) => void
}
/** What neighbours felt in milliseconds, and the program's own memory before and after. */
export type AttackFigures = {
  readonly name: string
  /** Of each answer. */
  readonly ms: readonly number[]
  readonly p50: number
  readonly p99: number
  readonly slowestUpload: number
  readonly wrong: readonly string[]
  readonly mib: number
  readonly descriptors: number
}
/** `again`: after all at once a second time. `broken`: what went beyond the limits, in words. */
export type AttackResult = {
  attacks: Omit<AttackFigures, 'ms'>[]
  before: Collected
  after: Collected
  again: Collected
  broken: string[]
}

/**
 * Attacks a product that it starts, by each way alone and by all at once, from twenty networks on one core, with honest
 * members beside. None of these may be refused, wait or be cut, and nothing of the product may die or stay large.
 */
export async function attackDrill(options: AttackOptions): Promise<AttackResult> {
  const dataDir = makeTempDir('letsbuzz-attack-')
  await layCluster(join(dataDir, 'postgres'))
  const setup = { dataDir, port: await freePort() }
  const { people, tokens } = await peopleOf(setup, options.attackers ?? ATTACKERS)
  const inspectedAt = await freePort()
  const program = await startProgram({ ...setup, env: { RATE_LIMITS: 'on', ...inspectable(inspectedAt) } })
  const footprint = () => collectedFootprint(program.pid, inspectedAt)
  try {
    const attacks: AttackFigures[] = []
    const attack = async (names: readonly string[]) => {
      const seconds = names.length > 1 ? options.togetherSeconds : options.seconds
      const figures = await attackOnce(program, people, tokens, names, seconds)
      options.print?.(line(figures))
      attacks.push(figures)
    }
    const all = Object.keys(ATTACKS)
    const fifty = Array.from({ length: ROUNDS_OF_FIFTY }, () => [QUIET, FIFTY_CLIPS]).flat()
    const alone = options.alone ?? [SMALL_FORMS, ...fifty, ...all]
    // Right after the start each of them takes the thread several times as long.
    if (alone[0] === SMALL_FORMS) await attack([SMALL_FORMS])
    await attackOnce(program, people, tokens, all, options.warmSeconds)
    await attackOnce(program, people, tokens, [QUIET], Math.max(options.seconds, options.quietSeconds))
    const before = await footprint()
    for (const name of alone[0] === SMALL_FORMS ? alone.slice(1) : alone) await attack([name])
    const afterAll = async () => {
      await attack(all)
      await pause(options.quietSeconds * 1_000)
      return footprint()
    }
    const memory = { before, after: await afterAll(), again: await afterAll() }
    options.print?.(memoryLine(memory))
    const broken = brokenBy(attacks, memory)
    return { attacks: attacks.map(({ ms: _, ...figures }) => figures), ...memory, broken }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Signed up where no rate is counted. */
async function peopleOf(setup: { dataDir: string; port: number }, attackers: number) {
  const program = await startProgram(setup)
  const all = await signUpMany(program.url, NEIGHBOURS + attackers)
  const people = all.slice(0, NEIGHBOURS)
  for (const [at, one] of people.entries()) await likeOther(program.url, one, people[at ^ 1] as Caller)
  await program.stop()
  const neighbours = people.map((one, at) => {
    const other = (people[at ^ 1] as Caller).id
    return { ...one, address: `127.0.1.${at + 1}`, other }
  })
  return { people: neighbours, tokens: all.slice(NEIGHBOURS).map(({ token }) => token) }
}

async function likeOther(url: string, from: Caller, to: Caller): Promise<void> {
  const answer = await call(url, '/likes', { token: from.token, body: { to: to.id } })
  if (!answer.ok) throw new Error(`A like was refused: ${await answer.text()}`)
}

async function attackOnce(
  program: Program,
  people: readonly Neighbour[],
  tokens: readonly string[],
  names: readonly string[],
  seconds: number,
): Promise<AttackFigures> {
  let over = false
  const addresses = Array.from({ length: ATTACKERS }, (_, at) => `127.0.2.${at + 1}`)
  const attack =
    names[0] === QUIET ? pause(seconds * 1_000) : attacker({ names, seconds, url: program.url, addresses, tokens })
  const living = liveBeside(program.url, people, () => over)
  await attack
  over = true
  const { ms, uploads, wrong } = await living
  const { mib, descriptors } = footprintOf(program.pid)
  const name = names.length > 1 ? 'all at once' : String(names[0])
  const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)]
  const slowestUpload = Math.round(Math.max(0, ...uploads))
  return { name, ms, p50, p99, slowestUpload, wrong, mib, descriptors }
}

/** Resolves when the attacker has ended. */
async function attacker(order: AttackOrder): Promise<void> {
  const child = spawn('taskset', ['-c', '0', process.execPath, bundled(ATTACKER)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(JSON.stringify(order))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The attacker ended with ${code}.`)
}

type Memory = Pick<AttackResult, 'before' | 'after' | 'again'>

function memoryLine(memory: Memory): string {
  const of = (name: string, { live, mib }: Collected) => `${live} MiB of objects in ${mib} ${name}`
  return [of('before', memory.before), of('after', memory.after), of('again', memory.again)].join(', ')
}

function brokenBy(attacks: readonly AttackFigures[], { before, after, again }: Memory): string[] {
  const felt = attacks.flatMap(({ name, p99, slowestUpload, wrong }) => [
    ...(p99 > HIGHEST_P99_MS ? [`${name}: neighbours waited ${p99} ms`] : []),
    ...(slowestUpload > SLOWEST_UPLOAD_MS ? [`${name}: a picture took ${slowestUpload} ms`] : []),
    ...wrong.map((what) => `${name}: ${what}`),
  ])
  const [quiet, fifty] = [QUIET, FIFTY_CLIPS].map((name) => p99OfAll(attacks, name)) as [number, number]
  const costly =
    fifty > Math.max(MEASURABLE_MS, quiet * COST_OF_FIFTY) ? [`${FIFTY_CLIPS}: ${fifty} ms beside ${quiet}`] : []
  const died = before.parts.filter((part) => !again.parts.includes(part)).map((part) => `${part} died`)
  const large = [
    ...(again.live > before.live * HIGHEST_GROWTH ? [`${before.live} MiB of objects became ${again.live}`] : []),
    // The first time the allocator takes the room that it keeps for reuse.
    ...(again.mib > after.mib * HIGHEST_GROWTH ? [`${after.mib} MiB became ${again.mib}`] : []),
  ]
  const open = again.descriptors - before.descriptors
  const kept = open > SPARE_DESCRIPTORS ? [`${open} descriptors stayed open`] : []
  return [...felt, ...costly, ...died, ...large, ...kept]
}

/** Of the answers of all rounds of that name. */
const p99OfAll = (attacks: readonly AttackFigures[], name: string) =>
  quantile(
    attacks.filter((one) => one.name === name).flatMap(({ ms }) => ms),
    0.99,
  )

const line = ({ name, ms, p50, p99, slowestUpload, wrong, mib, descriptors }: AttackFigures) =>
  `${name.padEnd(18)} ${ms.length} answers, p50 ${p50} ms, p99 ${p99} ms, slowest picture ${slowestUpload} ms, ${wrong.length} wrong; ${mib} MiB, ${descriptors} descriptors`
