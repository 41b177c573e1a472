import type { Anomaly, PairHistory } from './check.ts'
import { type PairState, shownOf, strangers, unreadOf, viewOf } from './pair-fold.ts'
import type { Counted, History, Look, Tried } from './record.ts'

const pairName = (a: string, b: string) => `pair-${[a, b].sort().join('_')}`

/**
 * Each list shows, of every other member, a state that the pair was in: none older than the reader's own last
 * acknowledged operation towards them, none from after the answer.
 */
export function checkLooks(history: History, pairs: ReadonlyMap<string, PairHistory>): Anomaly[] {
  const { floors, invoked } = timesOf(history, pairs)
  const everyone = [...new Set([...pairs.values()].flatMap(({ members }) => members))]
  return history.looks.flatMap((look) => {
    const others = look.other === undefined ? everyone.filter((one) => one !== look.member) : [look.other]
    return others.flatMap((other) => {
      const name = pairName(look.member, other)
      const pair = pairs.get(name)
      const floor = floorAt(floors.get(`${name} ${look.member}`) ?? [], look.invoked)
      return checkLook(look, other, pair, { floor, invoked })
    })
  })
}

type Times = { floor: number; invoked: ReadonlyMap<string, number> }

function checkLook(look: Look, other: string, pair: PairHistory | undefined, { floor, invoked }: Times): Anomaly[] {
  const shown = shownOf(look, look.seen, other)
  const states = pair?.states ?? [strangers()]
  const views = states.map((state) => viewOf(state, look.what, look.member))
  // An event whose command was sent after the answer cannot have been seen.
  const future = pair?.events.findIndex(({ command }) => (invoked.get(command) ?? 0) > look.ended) ?? -1
  const known = future < 0 ? views : views.slice(0, future + 1)
  if (known.slice(floor).includes(shown)) return []
  const what = `${look.what} of ${look.member} about ${other}: ${shown}, not ${known[floor] ?? 'anything'}`
  return [{ kind: known.slice(0, floor).includes(shown) ? 'stale-read' : 'false-read', what }]
}

type Floor = { ended: number; state: number }

/**
 * By pair and member: when an own operation was acknowledged, and the state it led to. And when each command was first sent.
 */
function timesOf({ tries }: History, pairs: ReadonlyMap<string, PairHistory>) {
  const invoked = new Map<string, number>()
  for (const { command, invoked: at } of tries) if (!invoked.has(command)) invoked.set(command, at)
  const positions = new Map<string, number>()
  for (const { events } of pairs.values()) events.forEach(({ command }, at) => void positions.set(command, at + 1))
  const floors = new Map<string, Floor[]>()
  const ended = (tried: Tried) => tried.result === 'ok' && tried.ended !== null && positions.has(tried.command)
  for (const { command, member, other, ended: at } of tries.filter(ended)) {
    const key = `${pairName(member, other)} ${member}`
    floors.set(key, [...(floors.get(key) ?? []), { ended: at as number, state: positions.get(command) as number }])
  }
  return { floors, invoked }
}

function floorAt(floors: readonly Floor[], invoked: number): number {
  return floors.reduce((floor, { ended, state }) => (ended < invoked ? Math.max(floor, state) : floor), 0)
}

/** What the read models count in the end is what the log adds up to. */
export function checkCounters({ counted }: History, pairs: ReadonlyMap<string, PairHistory>): Anomaly[] {
  return counted.flatMap((is) => {
    const ought = countersOf(is.member, pairs)
    const wrong = (Object.keys(ought) as (keyof typeof ought)[]).filter((name) => is[name] !== ought[name])
    return wrong.map((name): Anomaly => {
      return { kind: 'counter', what: `${name} of ${is.member}: ${is[name]} instead of ${ought[name]}` }
    })
  })
}

function countersOf(member: string, pairs: ReadonlyMap<string, PairHistory>): Counted {
  const own = [...pairs.values()].filter(({ members }) => members.includes(member))
  const last = own.map(({ states }) => states[states.length - 1] as PairState)
  const open = last.filter(({ matched }) => !matched)
  return {
    member,
    unread: last.reduce((sum, state) => sum + unreadOf(state, member), 0),
    likedCount: open.filter(({ buzzed }) => buzzed.includes(member)).length,
    likedYouCount: open.filter(({ buzzed }) => buzzed.some((one) => one !== member)).length,
    matchCount: last.length - open.length,
  }
}
