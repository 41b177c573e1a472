import { checkCounters, checkLooks } from './check-looks.ts'
import { next, type PairState, strangers } from './pair-fold.ts'
import type { Act, History, Logged, Tried } from './record.ts'

/** What is wrong, by the promise that it breaks. */
export type Anomaly = {
  readonly kind:
    | 'order'
    | 'lost'
    | 'doubled'
    | 'uninvoked'
    | 'refused-but-done'
    | 'matches'
    | 'message-after-end'
    | 'stale-read'
    | 'false-read'
    | 'counter'
  readonly what: string
}

/** One stream of a pair: its events, and the state before the first, between them and after the last. */
export type PairHistory = { members: readonly [string, string]; events: Logged[]; states: PairState[] }

const EVENT_OF: Readonly<Record<Act, string>> = {
  buzz: 'Buzzed',
  withdraw: 'BuzzWithdrawn',
  skip: 'Skipped',
  'undo-skip': 'SkipUndone',
  send: 'MessageSent',
  'mark-read': 'MessagesRead',
  block: 'Blocked',
  unblock: 'Unblocked',
  unmatch: 'Unmatched',
}

/** Looks for what must never be. Pure: the same history always gives the same answer. */
export function checkHistory(history: History): Anomaly[] {
  const pairs = pairsOf(history.log)
  return [
    ...checkOrder(history.log),
    ...checkCommands(history, pairs),
    ...[...pairs.values()].flatMap(checkPair),
    ...checkLooks(history, pairs),
    ...checkCounters(history, pairs),
  ]
}

const isPair = ({ stream }: Logged) => stream.startsWith('pair-')

export function pairsOf(log: readonly Logged[]): Map<string, PairHistory> {
  const pairs = new Map<string, PairHistory>()
  for (const event of log.filter(isPair)) {
    const members = event.stream.slice('pair-'.length).split('_') as [string, string]
    const pair = pairs.get(event.stream) ?? { members, events: [], states: [strangers()] }
    pair.events.push(event)
    pair.states.push(next(pair.states[pair.states.length - 1]!, event))
    pairs.set(event.stream, pair)
  }
  return pairs
}

/** Revisions of a stream count up from nothing without a gap, and positions only rise. */
function checkOrder(log: readonly Logged[]): Anomaly[] {
  const anomalies: Anomaly[] = []
  const expected = new Map<string, number>()
  let last = ''
  for (const { position, stream, revision } of log) {
    const wanted = expected.get(stream) ?? 0
    if (revision !== wanted) anomalies.push({ kind: 'order', what: `${stream}@${revision} instead of ${wanted}` })
    if (position <= last) anomalies.push({ kind: 'order', what: `position ${position} after ${last}` })
    expected.set(stream, revision + 1)
    last = position
  }
  return anomalies
}

/** Each acknowledged command has its one event, each refused one none, and no event comes from nowhere. */
function checkCommands({ tries, log }: History, pairs: ReadonlyMap<string, PairHistory>): Anomaly[] {
  const anomalies: Anomaly[] = []
  const tried = byCommand(tries)
  const logged = byCommand(log.filter((event) => isPair(event) && event.type !== 'Matched'))
  for (const [command, events] of logged) {
    const [own, ...more] = events as [Logged, ...Logged[]]
    const first = tried.get(command)?.[0]
    if (!first || !fits(first, own)) anomalies.push({ kind: 'uninvoked', what: `${own.type} of ${command}` })
    if (more.length > 0) anomalies.push({ kind: 'doubled', what: `${events.length} events of ${command}` })
  }
  for (const [command, all] of tried) {
    const [{ act, member, other }] = all as [Tried]
    const stands = logged.has(command)
    const acknowledged = all.find(({ result }) => result === 'ok')
    if (acknowledged && !stands && !mayBeQuiet(acknowledged, pairs))
      anomalies.push({
        kind: 'lost',
        what: `${act} ${command} of ${member} to ${other}, acknowledged at ${acknowledged.position ?? 'no position'}`,
      })
    if (stands && all.every(({ result }) => result === 'fail'))
      anomalies.push({ kind: 'refused-but-done', what: `${act} ${command} of ${member} to ${other}` })
  }
  return anomalies
}

function byCommand<T extends { readonly command: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(one.command)
    if (group) group.push(one)
    else groups.set(one.command, [one])
  }
  return groups
}

function fits({ act, member, other, message }: Tried, event: Logged): boolean {
  const same = event.type === EVENT_OF[act] && event.by === member && event.to === other
  return same && event.actor === member && (act !== 'send' || event.message === message)
}

/**
 * A repeat of what is so already records nothing: then it was so at the position that the answer names. Nor does what is done to
 * somebody who blocked the member, who may not learn of it (ruling R5).
 */
function mayBeQuiet({ act, member, other, position }: Tried, pairs: ReadonlyMap<string, PairHistory>): boolean {
  const pair = pairs.get(`pair-${[member, other].sort().join('_')}`)
  const isUnseen = pair?.states.some(({ blockedBy }) => blockedBy.includes(other)) ?? false
  if (isUnseen && ['withdraw', 'unmatch', 'skip'].includes(act)) return true
  if (position === undefined || !['block', 'skip', 'mark-read'].includes(act)) return false
  const after = pair?.events.findLastIndex((event) => event.position <= position) ?? -1
  const state = pair?.states[after + 1]
  if (!state) return false
  if (act === 'block') return state.blockedBy.includes(member)
  return act === 'skip' ? state.skippedBy.includes(member) : (state.readUpTo[member] ?? 0) > 0
}

const isMutual = ({ buzzed }: PairState) => new Set(buzzed).size > 1

/** One match for two open buzzes and none without; no word after the end; messages counted one by one. */
function checkPair({ events, states }: PairHistory): Anomaly[] {
  const anomalies: Anomaly[] = []
  const wrong = (kind: Anomaly['kind'], what: string) => void anomalies.push({ kind, what })
  events.forEach((event, at) => {
    const before = states[at]!
    const here = `${event.stream}@${event.revision}`
    const mutual = isMutual(before)
    if (event.type === 'Matched') {
      if (before.matched) wrong('matches', `${here}: a second match`)
      else if (!mutual) wrong('matches', `${here}: a match without two buzzes`)
    } else if (mutual && !before.matched) wrong('matches', `${here}: two buzzes without a match`)
    if (event.type === 'Buzzed' && before.buzzed.includes(event.by!)) wrong('doubled', `${here}: a second buzz`)
    if (event.type !== 'MessageSent') return
    if (!before.matched) wrong('message-after-end', `${here}: a message after ${before.closedBy ?? 'no match'}`)
    if (event.number !== before.count + 1) wrong('order', `${here}: message ${event.number} after ${before.count}`)
  })
  const last = states[states.length - 1]!
  if (isMutual(last) && !last.matched) wrong('matches', `${events[0]!.stream}: two buzzes without a match`)
  return anomalies
}
