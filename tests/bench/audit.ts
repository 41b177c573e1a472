import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Figure, ms, percentile, spread } from './figures.ts'

const EVENTS = 1_000
const AT_ONCE = 8
const VISITS = 25
const WARM_UP = 3
const LIMIT_MS = 300
const ROWS_LIMIT_MS = 1_000

/** Pages about a member whose stream with one other holds a thousand events, as an auditor's browser asks for them. */
export async function benchAudit(report: (figure: Figure) => void): Promise<void> {
  // As `npm start` runs it: otherwise the pages are rendered by React's development code.
  process.env.NODE_ENV = 'production'
  const world = await startWorld()
  try {
    const { auditor, ann, pair } = await prepare(world)
    const account = `/audit/${ann.id}`
    const middle = (await world.core.log.read(pair, EVENTS / 2, undefined, 1))[0]?.position
    const state = `${account}/state?stream=${pair}`
    const pages: readonly Page[] = [
      { what: 'the newest page of the timeline', path: account },
      { what: 'a page from the middle of it', path: `${account}?before=${middle}` },
      { what: 'the state of the stream at its middle', path: `${state}&revision=${EVENTS / 2}` },
      { what: 'its difference from the beginning', path: `${state}&fromRevision=0` },
      { what: 'the same, nothing of it in memory', path: `${state}&fromRevision=0`, anew: true },
      { what: 'all read models against a replay', path: `${account}/rows?model=conversations`, limit: ROWS_LIMIT_MS },
      { what: 'the same, nothing of it in memory', path: `${account}/rows`, limit: ROWS_LIMIT_MS, anew: true },
    ]
    for (const page of pages) report(await visit(world, auditor, page))
  } finally {
    await world.stop()
  }
}

async function prepare(world: World) {
  const [auditor, ann, ben] = [await world.member('Ada'), await world.member('Ann'), await world.member('Ben')]
  await world.match(ann, ben)
  await world.settled()
  for (let number = 0; number < EVENTS; number += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => world.sendMessage(ann, ben, `Message ${number + at}`)))
  const role = { type: 'GrantRole', member: auditor.id, role: 'auditor', by: 'admin:bench', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: randomUUID(), actor: 'admin:bench' })
  await world.settled()
  return { auditor, ann, pair: `pair-${[ann.id, ben.id].sort().join('_')}` }
}

/** `anew`: what earlier visits read of the log is forgotten before each. */
type Page = { readonly what: string; readonly path: string; readonly limit?: number; readonly anew?: boolean }

async function visit(world: World, as: Person, { what, path, limit = LIMIT_MS, anew }: Page): Promise<Figure> {
  const times: number[] = []
  let spent = process.cpuUsage()
  for (let round = -WARM_UP; round < VISITS; round++) {
    if (round === 0) spent = process.cpuUsage()
    if (anew) world.core.keys.forget(randomUUID())
    const startedAt = performance.now()
    const answer = await world.page(path, { as })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await answer.text()
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(spent)
  const cpu = (user + system) / 1_000 / VISITS
  return {
    what: `${what}, ${EVENTS.toLocaleString('en')} events`,
    value: `${spread(times)}, ${ms(cpu)} of CPU beside Postgres`,
    against: `at most ${ms(limit)}`,
    ratio: `${(percentile(times, 0.99) / limit).toFixed(2)} ×`,
  }
}
