import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { quantile } from '../attack/honest.ts'
import { footprintOf } from '../footprint.ts'
import { ask } from '../network.ts'
import { freePort, type Program, startProgram } from '../program-child.ts'
import { type Caller, call, signUpMany } from '../program-people.ts'
import { addressOf, Listeners } from './listeners.ts'
import { dealt, type Resident, TOWN } from './mix.ts'
import { atPace } from './pace.ts'
import { type Busy, type Grown, watched } from './samples.ts'

const P95_MS = 200
const BEHIND_SECONDS = 5
const GROWTH = 1.1
const SPARE_DESCRIPTORS = 20

/**
 * Requests a second, tried one rate after the other, each for `stepSeconds`, or twice where the product does not keep up at
 * first; the highest that it kept up with goes on for `holdSeconds`, or else the next one below that it keeps up with for as
 * long. `listeners`: open pages of each of the members. `behindSeconds`: at so many seconds of requests without an answer a rate
 * is given up; 5 where nothing is given. `limited`: each member, address and file counts as in the product.
 */
export type LoadOptions = {
  rates: readonly number[]
  stepSeconds: number
  holdSeconds: number
  members: number
  listeners: number
  behindSeconds?: number
  limited?: boolean
  print?: (text: string) => void
}
/** What members felt, in milliseconds from when each request was due. */
export type Felt = {
  readonly perSecond: number
  readonly answers: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly wrong: readonly string[]
  readonly fellBehind: boolean
  readonly grown: Grown
  readonly busy: Busy
}
export type LoadResult = {
  /** The highest rate at which 95 of 100 had their answer within 200 ms; null where none was. */
  reached: number | null
  steps: Felt[]
  sustained: Felt
  live: { expected: number; missed: number; doubled: number; resyncs: number }
  broken: string[]
}

/** Members who read pages, call, look at pictures and write, at a pace of their own, with pages open beside. */
export async function loadDrill(options: LoadOptions): Promise<LoadResult> {
  const dataDir = makeTempDir('letsbuzz-load-')
  await layCluster(join(dataDir, 'postgres'))
  const setup = { dataDir, port: await freePort() }
  // So many sign up from one address as no limit allows.
  let program = await startProgram(setup)
  try {
    const people = await residents(program.url, options.members)
    if (options.limited) {
      await program.stop()
      program = await startProgram({ ...setup, env: { RATE_LIMITS: 'on' } })
    }
    const listeners = await Listeners.open(program.url, people, options.listeners)
    const before = footprintOf(program.pid)
    const load = new Load(program, people, options.behindSeconds ?? BEHIND_SECONDS)
    const steps = await climb(load, options)
    const reached = steps.filter(keepsUp).at(-1)?.perSecond ?? null
    const sustained = await hold(load, reached, options)
    const live = await listeners.compare(load.written)
    listeners.close()
    const died = before.parts.filter((part) => !footprintOf(program.pid).parts.includes(part))
    return { reached, steps, sustained, live, broken: brokenBy([...steps, sustained], sustained, live, died) }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function climb(load: Load, { rates, stepSeconds, print }: LoadOptions): Promise<Felt[]> {
  const steps: Felt[] = []
  const step = async (rate: number) => {
    const felt = await load.run(rate, stepSeconds)
    steps.push(felt)
    print?.(line(felt))
    return keepsUp(felt)
  }
  // Code that has just been loaded is slow until it has been compiled.
  await load.run(rates[0] as number, stepSeconds)
  for (const rate of rates) if (!(await step(rate)) && !(await step(rate))) break
  return steps
}

/** What a few seconds allow, minutes may not. */
async function hold(load: Load, reached: number | null, { rates, holdSeconds, print }: LoadOptions): Promise<Felt> {
  const [lowest = 0, ...higher] = rates
  const from = [lowest, ...higher.filter((rate) => rate <= (reached ?? lowest))]
  for (let rate = from.pop(); ; rate = from.pop()) {
    const felt = await load.run(rate ?? lowest, holdSeconds)
    print?.(`sustained: ${line(felt)}`)
    if (from.length === 0 || keepsUp(felt)) return felt
  }
}

const keepsUp = ({ p95, fellBehind }: Felt) => p95 <= P95_MS && !fellBehind

/** Members in one town, two and two a match. */
async function residents(url: string, count: number): Promise<Resident[]> {
  const members = await signUpMany(url, count)
  for (const { token } of members) await call(url, '/location', { token, body: TOWN })
  const otherOf = (at: number) => members[at ^ 1] as Caller
  for (const [at, { token }] of members.entries()) await call(url, '/likes', { token, body: { to: otherOf(at).id } })
  return Promise.all(
    members.map(async (one, at) => ({ ...one, other: otherOf(at).id, photo: await photoOf(url, one) })),
  )
}

async function photoOf(url: string, { token }: Caller): Promise<string> {
  const text = await (await call(url, '/users/me', { token })).text()
  const found = /"((?:https?:\/\/[^"/]+)?\/media\/[^"]+)"/.exec(text)?.[1]
  if (!found) throw new Error(`a member has no photo: ${text.slice(0, 200)}`)
  return found.replace(/^https?:\/\/[^/]+/, '')
}

/** Goes on where it was with each run. */
class Load {
  /** Whom each message was for, of those that were acknowledged. */
  readonly written: [to: string, message: string][] = []
  private turn = 0
  private readonly agents = new Map<string, Agent>()
  private readonly next: ReturnType<typeof dealt>

  constructor(
    private readonly program: Program,
    private readonly people: readonly Resident[],
    private readonly behindSeconds: number,
  ) {
    this.next = dealt(people)
  }

  async run(perSecond: number, seconds: number): Promise<Felt> {
    const paced = atPace({ perSecond, seconds, behindSeconds: this.behindSeconds }, this.turn, (turn) =>
      this.send(turn),
    )
    const { ms, wrong, fellBehind, grown, busy } = await watched(this.program.pid, paced, () => this.connections())
    this.turn += ms.length
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(ms, share)) as [number, number, number]
    return { perSecond, answers: ms.length, p50, p95, p99, wrong, fellBehind, grown, busy }
  }

  private async send(turn: number): Promise<string | null> {
    const { path, headers, body, message, who } = this.next(turn)
    const address = addressOf(this.people.indexOf(who))
    const from = { address, agent: this.agentOf(address) }
    const { status, text } = await ask(this.program.url + path, from, { headers, ...(body && { body }) })
    if (status === 200 && message) this.written.push([who.other, message])
    return status === 200 ? null : `${path} ${status} ${text.slice(0, 80)}`
  }

  private connections(): number {
    const open = [...this.agents.values()].flatMap(({ sockets, freeSockets }) => [sockets, freeSockets])
    return open.flatMap((byHost) => Object.values(byHost)).reduce((sum, list) => sum + (list?.length ?? 0), 0)
  }

  private agentOf(address: string): Agent {
    const agent = this.agents.get(address) ?? new Agent({ keepAlive: true })
    this.agents.set(address, agent)
    return agent
  }
}

function brokenBy(all: readonly Felt[], sustained: Felt, live: LoadResult['live'], died: readonly string[]): string[] {
  const [early, late] = sustained.grown.mib
  const opened = sustained.grown.descriptors[1] - sustained.grown.descriptors[0]
  return [
    ...all.flatMap(({ wrong }) => wrong),
    ...(keepsUp(sustained) ? [] : [`sustained: 95 of 100 answers within ${sustained.p95} ms`]),
    ...(live.missed + live.doubled > 0 ? [`${live.missed} messages missed, ${live.doubled} doubled`] : []),
    ...(late > early * GROWTH ? [`${early} MiB became ${late}`] : []),
    ...(opened > SPARE_DESCRIPTORS ? [`${opened} descriptors stayed open`] : []),
    ...died.map((part) => `${part} died`),
  ]
}

const line = ({ perSecond, answers, p50, p95, p99, wrong, fellBehind, grown, busy }: Felt) =>
  `${perSecond}/s: ${answers} answers, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, ${wrong.length} wrong${fellBehind ? ', fell behind' : ''}; ` +
  `main thread ${busy.main}, program ${busy.all} of a core; ${grown.mib.join(' → ')} MiB, ${grown.descriptors.join(' → ')} descriptors`
