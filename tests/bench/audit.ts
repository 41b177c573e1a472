import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Figure, ms, percentile, spread } from './figures.ts'

const EVENTS = 1_000
const AT_ONCE = 8
const VISITS = 30
const LIMIT_MS = 300

/** Pages about a member whose stream with one other holds a thousand events, as an auditor's browser asks for them. */
export async function benchAudit(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const { auditor, ann, pair } = await prepare(world)
    const account = `/audit/${ann.id}`
    const middle = (await world.core.log.read(pair, EVENTS / 2, undefined, 1))[0]?.position
    const pages = {
      'the newest page of the timeline': account,
      'a page from the middle of it': `${account}?before=${middle}`,
      'the state of the stream at its middle': `${account}/state?stream=${pair}&revision=${EVENTS / 2}`,
      'its difference from the beginning': `${account}/state?stream=${pair}&fromRevision=0`,
      'all read models against a replay': `${account}/rows?model=conversations`,
    }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(pages)) figures.push(await visit(world, auditor, what, path))
    return figures
  } finally {
    await world.stop()
  }
}

async function prepare(world: World) {
  const [auditor, ann, ben] = [await world.member('Ada'), await world.member('Ann'), await world.member('Ben')]
  await world.match(ann, ben)
  await world.settled()
  for (let number = 0; number < EVENTS; number += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => world.say(ann, ben, `Message ${number + at}`)))
  const role = { type: 'GrantRole', member: auditor.id, role: 'auditor', by: 'admin:bench', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: randomUUID(), actor: 'admin:bench' })
  await world.settled()
  return { auditor, ann, pair: `pair-${[ann.id, ben.id].sort().join('_')}` }
}

async function visit(world: World, as: Person, what: string, path: string): Promise<Figure> {
  const times: number[] = []
  let spent = process.cpuUsage()
  for (let round = 0; round <= VISITS; round++) {
    const startedAt = performance.now()
    const answer = await world.page(path, { as })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await answer.text()
    // The first one finds nothing compiled.
    if (round > 0) times.push(performance.now() - startedAt)
    else spent = process.cpuUsage()
  }
  const { user, system } = process.cpuUsage(spent)
  const cpu = (user + system) / 1_000 / VISITS
  return {
    what: `${what}, ${EVENTS.toLocaleString('en')} events`,
    value: `${spread(times)}, ${ms(cpu)} of CPU beside Postgres`,
    against: `at most ${ms(LIMIT_MS)}`,
    ratio: `${(percentile(times, 0.99) / LIMIT_MS).toFixed(2)} ×`,
  }
}
