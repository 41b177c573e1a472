import { addMs, days } from '../../domain/shared/dates.ts'
import type { LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { countAccounts } from '../../projections/accounts/queries.ts'
import { createQueue } from '../../services/queue.ts'
import type { Ports, Services } from '../../usecases/ports.ts'
import { endUnfinished } from '../../usecases/register/end-unfinished.ts'
import type { Core } from '../core.ts'
import { createToolPorts } from '../ports.ts'
import { type ProgressLine, progressBar } from '../tools/cli/support/progress.ts'
import { type Inhabitant, joinDemoWorld, type Newcomer } from './join.ts'
import { DEMO_LOCATION, makeHome } from './locations.ts'
import { DEMO_LOGIN, type DemoLogin, findDemoLogin, findDemoMember, loginPersona } from './login.ts'
import { act, type Meeting, planFor, planMeetings } from './meetings.ts'
import { makePersona } from './people.ts'
import { type Begun, DEMO_MEMBERS, findPlan, keepPlan, type Plan, passingPlan } from './plan.ts'
import { type Chance, createChance } from './random.ts'

export type DemoDeps = {
  readonly core: Core
  readonly services: Services
  readonly now: () => Date
  /** Ends the making between two members or two meetings; it can be taken up again. */
  readonly signal?: AbortSignal
}
export type DemoWish = {
  /** How many to add, the demo login included where it does not exist yet. */
  readonly members: number
  readonly around?: LatLng
  /** The same seed gives the same people and pictures, under other ids. */
  readonly seed?: number
  readonly onProgress?: (done: number, total: number) => void
}
/** What a first start does on the way. */
type Stages = {
  /** One can sign in; nobody else is there yet. */
  readonly onLogin: () => Promise<void>
  /** Whom the login meets are there; others are still to join. */
  readonly onCompany: () => Promise<void>
}
export type DemoWorld = { members: number; matches: number; likes: number; messages: number }

const AT_ONCE = 12
/** How many fit the demo login and meet it: two to write to, a new match, and those whose likes wait. */
const COMPANY = 9
const SHOWN_TRIES = 40
/** The others have two pictures, smaller ones, and perhaps a film: few look at so many people. */
const WITH_MORE_PICTURES = 60

/**
 * Adds synthetic adults with pictures, locations, likes, matches and messages, all by commands into the log; positions
 * and files go to their services. The demo login meets some of them. Answers once the read models show it all.
 */
export async function seedDemoWorld(deps: DemoDeps, wish: DemoWish): Promise<DemoWorld> {
  const { members, around, seed = 1 } = wish
  const known = await findDemoMember(deps.services)
  const plan = passingPlan({ members, seed, today: deps.now(), ...(around && { around }) })
  return make(deps, plan, known, wish)
}

/**
 * `known`: the login of an earlier world, which joins in; null makes it, or takes up the one that the plan has made. Whoever is near
 * the login comes first, and meets it before others join: whoever signs in early has somebody to look at.
 */
async function make(
  { core, services, now, signal }: DemoDeps,
  plan: Plan,
  known: MemberId | null,
  { onProgress, onLogin, onCompany }: Pick<DemoWish, 'onProgress'> & Partial<Stages>,
): Promise<DemoWorld> {
  const tools = createToolPorts(core, services, now)
  const { today, seed, members } = plan
  const company = Math.min(COMPANY, Math.floor((members - 1) / 2))
  const join = joining(tools, plan, { company, withLogin: known === null, onProgress, signal })
  const chance = createChance(seed + 7)
  const meet = async (meeting: Meeting) => {
    signal?.throwIfAborted()
    await act(tools, plan.key, meeting)
  }
  // Alone: its pictures would wait for those of others.
  const first = await join(0, 1)
  await onLogin?.()
  const me = known ?? first[0]?.member
  const nearby = company + (known ? 0 : 1)
  const near = [...first, ...(await join(1, nearby))]
  const met = near.slice(0, nearby).filter(({ member }) => member !== me)
  const mine = me ? planFor(chance, me, met, { known: known !== null, now: today }) : []
  for (const meeting of mine) await meet(meeting)
  await onCompany?.()
  const people = [...near, ...(await join(near.length, members))]
  const others = people.filter(({ member }) => member !== me)
  const theirs = planMeetings(chance, others, today)
  const inTurn = createQueue(AT_ONCE)
  await together(theirs.map((meeting) => inTurn(() => meet(meeting))))
  plan.done()
  await showsAll(core, services)
  return { members: people.length, ...counted([...mine, ...theirs]) }
}

type Populating = {
  readonly company: number
  readonly withLogin: boolean
  readonly onProgress: DemoWish['onProgress'] | undefined
  readonly signal: AbortSignal | undefined
}

/** Those from one index to before another, as many at once as a machine can bear. The first is the login. */
function joining(
  tools: Ports,
  plan: Plan,
  { company, withLogin, onProgress, signal }: Populating,
): (from: number, to: number) => Promise<Inhabitant[]> {
  const { key, today, members, around = DEMO_LOCATION, seed } = plan
  const inTurn = createQueue(AT_ONCE)
  let done = 0
  const join = async (index: number): Promise<Inhabitant> => {
    signal?.throwIfAborted()
    const chance = createChance(seed * 1_000_003 + index)
    const home = await makeHome(chance, around, tools.towns, index <= company)
    const at = addMs(today, -days(14) - Math.floor(chance.next() * days(20)))
    const who =
      withLogin && index === 0 ? await demoLogin(tools, today) : stranger(chance, today, index <= company, key, index)
    const again = {
      commandId: uuidFrom('demo', key, index),
      begun: plan.begun(index),
      begin: (proof: Begun) => plan.begin(index, proof),
    }
    const newcomer = { ...who, home, at, more: index < WITH_MORE_PICTURES, ...again }
    const person = await joinDemoWorld({ ...tools, signal }, chance, newcomer)
    onProgress?.(++done, members)
    return person
  }
  return (from, to) => together(Array.from({ length: Math.max(0, to - from) }, (_, i) => inTurn(() => join(from + i))))
}

/** All of it, or why not, once nothing of it is under way any more. */
async function together<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

type Who = Pick<Newcomer, 'persona' | 'email' | 'passwordHash'>

async function demoLogin({ passwords }: Ports, today: Date): Promise<Who> {
  const { email, password } = DEMO_LOGIN
  return { persona: loginPersona(today), email, passwordHash: await passwords.hash(password, 'demo') }
}

function stranger(chance: Chance, today: Date, fitting: boolean, key: string, index: number): Who {
  const persona = makePersona(chance, today, fitting ? loginPersona(today) : undefined)
  return { persona, email: `${idFrom('demo', key, index)}@demo.letsbuzz.example`, passwordHash: null }
}

function counted(meetings: readonly Meeting[]): Omit<DemoWorld, 'members'> {
  return {
    matches: meetings.filter(({ matched }) => matched).length,
    likes: meetings.filter(({ matched }) => !matched).length,
    messages: meetings.reduce((sum, { messages }) => sum + messages.length, 0),
  }
}

/** False when the read models stay behind. */
async function showsAll(core: Core, { caughtUp }: Services): Promise<boolean> {
  const head = await core.log.head()
  for (let tries = 0; tries < SHOWN_TRIES; tries++) if (await caughtUp(head)) return true
  return false
}

export type Ensure = DemoDeps & {
  print: (text: string) => void
  /** Nobody who knows the login has to wait any more: it works, or is not to be made. */
  onLogin?: () => void
  /** The login, as soon as there is something to look around at. */
  greet?: (login: DemoLogin) => void
  /** Keeps the plan while the world is made. */
  dataDir: string
  members?: number
  around?: LatLng
}

/**
 * The first start's demo world: made only where nobody has an account (local mode is the caller's to check), and
 * completed after an interrupted start. Answers the login, also of a world that is there already; null when there
 * is none, or its password was changed.
 */
export async function ensureDemoWorld(options: Ensure): Promise<DemoLogin | null> {
  const { core, services, onLogin = () => undefined } = options
  const plan = await planOf(options)
  const greet = async () => {
    const login = await findDemoLogin(services)
    if (login) options.greet?.(login)
    return login
  }
  if (!plan) {
    onLogin()
    return greet()
  }
  let bar: ProgressLine | undefined
  await make(options, plan, null, {
    async onLogin() {
      await showsAll(core, services)
      onLogin()
      bar = progressBar({ what: 'Demo world', total: plan.members, unit: 'members' })
    },
    async onCompany() {
      await showsAll(core, services)
      await greet()
    },
    onProgress: (done) => bar?.at(done),
  })
  bar?.end()
  return findDemoLogin(services)
}

/** That of an interrupted start, or a first start's; null where there is somebody already. */
async function planOf(options: Ensure): Promise<Plan | null> {
  const { print, dataDir, core, services } = options
  const begun = findPlan(dataDir)
  // What was there before this start is known without a wait.
  if (!begun && (await isInhabited(core))) return null
  if (!(await showsAll(core, services))) return null
  if (!begun) return (await isInhabited(core)) ? null : planFirst(options)
  print(`Completing the demo world of ${begun.members} synthetic members that a start before this one began …`)
  await endUnfinished({ ...createToolPorts(core, services, options.now), actor: 'system' })
  return begun
}

async function isInhabited({ storage }: Core): Promise<boolean> {
  const { members, demo } = await countAccounts(storage.read)
  return members + demo > 0
}

function planFirst({ dataDir, print, now, around, members = DEMO_MEMBERS }: Ensure): Plan {
  print(`Making a demo world of ${members} synthetic members (once; --no-demo leaves it out) …`)
  return keepPlan(dataDir, { members, seed: 1, today: now(), ...(around && { around }) })
}
