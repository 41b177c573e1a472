import { createHash } from 'node:crypto'
import { cellAt, DISCOVER_CELL_M, type LatLng } from '../../../domain/shared/grid.ts'
import { CELL_DELAY_MS } from '../../../domain/shared/published-cell.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { whereSeenAt } from '../../support/locations/own-grid.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { pairsOf } from '../program-load.ts'
import { call, prepareSignUp } from '../program-people.ts'

const LOCATION = { lat: 38.7223, lng: -9.1393 }
const BETWEEN_MOVES_MS = 31_000
const HOUR = 3_600_000
const AT_ONCE = 200
const PAGE = 2_000

/** A world whose clock stands still until time is passed. */
export type Rig = { readonly world: World; pass(ms: number): void }

export async function startRig(): Promise<Rig> {
  let time = Date.now()
  const world = await startWorld({ now: () => new Date(time) })
  const pass = (ms: number) => {
    time += ms
  }
  return { world, pass }
}

async function inWorld<T>(given: Rig | undefined, work: (rig: Rig) => Promise<T>): Promise<T> {
  if (given) return work(given)
  const rig = await startRig()
  return work(rig).finally(() => rig.world.stop())
}

/** `matches`: in the log. `matchRows`: in the read model, one for each side. `odd`: answers nobody should get. */
export type MutualBuzzes = { pairs: number; calls: number; matches: number; matchRows: number; odd: string[] }

/** Both of each pair buzz, twice each, all together. */
export function mutualBuzzes({ pairs: count }: { pairs: number }, given?: Rig): Promise<MutualBuzzes> {
  return inWorld(given, async ({ world }) => {
    const members: Person[] = []
    for (let n = 0; (n * (n - 1)) / 2 < count; n++) members.push(await world.join(`Member ${n}`))
    await world.settled()
    const pairs = pairsOf(members).slice(0, count)
    const buzz = (from: Person, to: Person) => () =>
      call(world.url, '/likes', { token: from.token, body: { to: to.id } })
    const buzzes = pairs.flatMap(([a, b]) => [buzz(a, b), buzz(b, a), buzz(a, b), buzz(b, a)])
    const answers = await together(buzzes)
    await world.settled()
    const odd = answers.filter(({ status, text }) => status !== 200 && !(status === 400 && /already/.test(text)))
    const rows = await Promise.all(members.map((member) => call(world.url, '/matches', { token: member.token })))
    const lists = (await Promise.all(rows.map((answer) => answer.json()))) as { matches: unknown[] }[]
    return {
      pairs: pairs.length,
      calls: answers.length,
      matches: await countMatches(world),
      matchRows: lists.reduce((sum, { matches }) => sum + matches.length, 0),
      odd: [...new Set(odd.map(({ status, text }) => `${status} ${text}`))],
    }
  })
}

/** As many open connections as an ordinary machine allows a process; the others wait behind them. */
async function together(calls: readonly (() => Promise<Response>)[]): Promise<{ status: number; text: string }[]> {
  const answers: { status: number; text: string }[] = []
  let next = 0
  const work = async () => {
    for (let one = calls[next++]; one; one = calls[next++]) {
      const answer = await one()
      answers.push({ status: answer.status, text: await answer.text() })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return answers
}

async function countMatches({ core }: World): Promise<number> {
  let count = 0
  for (let after = START; ; ) {
    const stored = await core.log.readAll(after, PAGE)
    count += stored.filter(({ type }) => type === 'Matched').length
    const last = stored.at(-1)
    if (!last) return count
    after = last.position
  }
}

/** `refused`: answers of 401 or 409. */
export type RegisterAtOnce = { calls: number; made: number; refused: number; statuses: Record<string, number> }

/** One finished wizard, sent many times in the same moment. */
export function registerAtOnce({ calls: count }: { calls: number }, given?: Rig): Promise<RegisterAtOnce> {
  return inWorld(given, async ({ world: { url } }) => {
    const { signupToken, answers } = await prepareSignUp(url, 'once.only@example.com')
    const register = () => call(url, '/auth/register-full', { body: { ...answers, signupToken } })
    const sent = await together(Array.from({ length: count }, () => register))
    const statuses: Record<string, number> = {}
    for (const { status } of sent) statuses[status] = (statuses[status] ?? 0) + 1
    const refused = (statuses[401] ?? 0) + (statuses[409] ?? 0)
    return { calls: count, made: statuses[200] ?? 0, refused, statuses }
  })
}

/** `changed`: answers that differ from those before the first move. `noticed`: a move to another cell does show. */
export type MoveInsideCell = { moves: number; accepted: number; compared: number; changed: number; noticed: boolean }

/** A member moves about inside one cell of their own grid, and every other member asks each time what they see. */
export function moveInsideCell({ moves }: { moves: number }, given?: Rig): Promise<MoveInsideCell> {
  return inWorld(given, async ({ world, pass }) => {
    const mover = await world.member('Mover', { location: LOCATION })
    const others = [
      await world.member('Here', { location: LOCATION }),
      await world.member('Near', { location: { lat: LOCATION.lat + 0.05, lng: LOCATION.lng } }),
      await world.member('Match', { location: { lat: LOCATION.lat, lng: LOCATION.lng + 0.2 } }),
    ] as const
    await world.match(mover, others[2])
    await world.settled()
    const result = { moves, accepted: 0, compared: 0, changed: 0, noticed: false }
    const before = await seenBy(world, others, mover)
    const moveTo = async (location: LatLng) => {
      pass(BETWEEN_MOVES_MS)
      const answer = await call(world.url, '/location', { token: mover.token, body: location })
      return ((await answer.json()) as { accepted: boolean }).accepted
    }
    const { masterKey } = world.secrets
    for (let move = 0; move < moves; move++) {
      if (await moveTo(whereSeenAt(locationInCell(LOCATION), mover.id, masterKey))) result.accepted++
      const seen = await seenBy(world, others, mover)
      result.compared += seen.length
      result.changed += seen.filter((answer, at) => answer !== before[at]).length
    }
    pass(HOUR)
    const away = await moveTo({ lat: LOCATION.lat + 0.3, lng: LOCATION.lng })
    pass(CELL_DELAY_MS.most)
    await world.services.positions.publishDue()
    const after = await seenBy(world, others, mover)
    result.noticed = away && after.some((answer, at) => answer !== before[at])
    return result
  })
}

/** Each other member's deck and the mover's profile, as fingerprints of the bytes. */
async function seenBy(world: World, others: readonly Person[], mover: Person): Promise<string[]> {
  const asked = others.flatMap(({ token }) =>
    ['/discover', `/users/${mover.id}`].map(async (path) => {
      const answer = await call(world.url, path, { token })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex')
    }),
  )
  return Promise.all(asked)
}

/** Anywhere in the same cell. */
function locationInCell(location: LatLng): LatLng {
  const cell = cellAt(location, DISCOVER_CELL_M)
  for (;;) {
    const moved = { lat: cell.lat + (Math.random() - 0.5) * 0.01, lng: cell.lng + (Math.random() - 0.5) * 0.014 }
    const at = cellAt(moved, DISCOVER_CELL_M)
    if (at.row === cell.row && at.col === cell.col) return moved
  }
}
