import { expect, test } from 'vitest'
import { checkHistory } from './check.ts'
import type { Counted, History, Logged, Look, Tried } from './record.ts'

const [ANN, BEA] = ['ann', 'bea']
const STREAM = 'pair-ann_bea'

/** Ann and Bea match, write and unmatch; every test breaks one thing of it. */
function soundHistory(): History {
  const tries = [
    tried('c1', 'buzz', ANN, BEA),
    tried('c2', 'buzz', BEA, ANN),
    tried('c3', 'send', ANN, BEA, 'm1'),
    tried('c4', 'send', BEA, ANN, 'm2'),
    tried('c5', 'buzz', ANN, BEA, undefined, 'fail'),
  ]
  const log = [
    logged(0, 'Buzzed', 'c1', ANN, BEA),
    logged(1, 'Buzzed', 'c2', BEA, ANN),
    logged(2, 'Matched', 'c2', BEA),
    { ...logged(3, 'MessageSent', 'c3', ANN, BEA), message: 'm1', number: 1 },
    { ...logged(4, 'MessageSent', 'c4', BEA, ANN), message: 'm2', number: 2 },
  ]
  const looks = [look('matches', ANN, [BEA]), { ...look('messages', ANN, ['m2', 'm1']), other: BEA }]
  const counted = [counters(ANN, 1), counters(BEA, 1)]
  return { tries, log, looks, counted }
}

const positions = { c1: 10, c2: 20, c3: 30, c4: 40, c5: 50 } as Record<string, number>

function tried(
  command: string,
  act: Tried['act'],
  member: string,
  other: string,
  message?: string,
  result: Tried['result'] = 'ok',
): Tried {
  const at = positions[command] ?? 45
  return { command, act, member, other, invoked: at, ended: at + 5, result, ...(message && { message }) }
}

function logged(revision: number, type: string, command: string, by: string, to?: string): Logged {
  const where = { position: `p${String(revision).padStart(4, '0')}`, stream: STREAM, revision }
  return { ...where, type, command, actor: by, by, ...(to && { to }) }
}

const look = (what: Look['what'], member: string, seen: Look['seen']): Look => ({
  what,
  member,
  seen,
  invoked: 100,
  ended: 110,
})

const counters = (member: string, unread: number): Counted => ({
  member,
  unread,
  likedCount: 0,
  likedYouCount: 0,
  matchCount: 1,
})

const kindsOf = (history: History) => checkHistory(history).map(({ kind }) => kind)
/** The sound history with more events, and commands that caused them, at its end. */
function followedBy(...events: readonly Logged[]): History {
  const sound = soundHistory()
  const acts: Record<string, Tried['act']> = { Buzzed: 'buzz', Blocked: 'block', Unmatched: 'unmatch' }
  const more = events
    .filter(({ type }) => type !== 'Matched')
    .map((event) => tried(event.command, acts[event.type] ?? 'send', event.by!, event.to!, event.message))
  return { ...sound, log: [...sound.log, ...events], tries: [...sound.tries, ...more], looks: [], counted: [] }
}
const word = (revision: number, number = 3): Logged => ({
  ...logged(revision, 'MessageSent', `w${revision}`, ANN, BEA),
  message: `w${revision}`,
  number,
})

test('a sound history has no anomaly', () => {
  expect(checkHistory(soundHistory())).toEqual([])
})

test('an acknowledged command that is not in the log is lost', () => {
  const sound = soundHistory()
  expect(kindsOf({ ...sound, log: sound.log.slice(0, 4), looks: [], counted: [] })).toEqual(['lost'])
})

test('what is done to somebody who blocked the member may leave nothing in the log, and what is done to others may not', () => {
  const blocked = followedBy(logged(5, 'Blocked', 'b5', BEA, ANN))
  const add = (history: History, ...more: Tried[]) => ({
    ...history,
    tries: [...history.tries, ...more],
    looks: [],
    counted: [],
  })
  const acts = ['withdraw', 'unmatch', 'skip', 'block'] as const
  expect(acts.map((act) => kindsOf(add(blocked, tried('q', act, ANN, BEA))))).toEqual([[], [], [], ['lost']])
  for (const act of acts.slice(0, 3))
    expect(kindsOf(add(blocked, { ...tried('q', act, ANN, BEA), position: 'p0005' }))).toEqual([])
  expect(kindsOf(add(blocked, tried('q', 'unmatch', BEA, ANN)))).toEqual(['lost'])
  expect(kindsOf(add(soundHistory(), tried('q', 'unmatch', ANN, BEA)))).toEqual(['lost'])
})

test('a command that nobody answered may be in the log or not', () => {
  const sound = soundHistory()
  const tries = sound.tries.map((one) => (one.command === 'c4' ? { ...one, result: 'info' as const } : one))
  expect(kindsOf({ ...sound, tries })).toEqual([])
  expect(kindsOf({ ...sound, tries, log: sound.log.slice(0, 4), looks: [], counted: [] })).toEqual([])
})

test('an event that stands twice is doubled', () => {
  const again = { ...word(5), command: 'c3', message: 'm1' }
  const { tries } = soundHistory()
  expect(kindsOf({ ...followedBy(again), tries })).toEqual(['doubled'])
})

test('an event that nobody asked for is found, and one that another asked for', () => {
  const sound = soundHistory()
  expect(kindsOf({ ...followedBy(word(5)), tries: sound.tries })).toEqual(['uninvoked'])
  const forged = { ...word(5), actor: BEA }
  expect(kindsOf(followedBy(forged))).toEqual(['uninvoked'])
})

test('a refused command that is in the log is found', () => {
  const sound = soundHistory()
  const tries = sound.tries.map((one) => (one.command === 'c4' ? { ...one, result: 'fail' as const } : one))
  expect(kindsOf({ ...sound, tries })).toEqual(['refused-but-done'])
})

test('a gap, a repeat of a revision, and a position that falls are out of order', () => {
  expect(kindsOf(followedBy(word(6)))).toEqual(['order'])
  expect(kindsOf(followedBy({ ...word(4), position: 'p0005' }))).toEqual(['order'])
  expect(kindsOf(followedBy({ ...word(5), position: 'p0001' }))).toEqual(['order'])
})

test('a message with a number that others have is out of order', () => {
  expect(kindsOf(followedBy(word(5, 2)))).toEqual(['order'])
})

test('a second match, a match without two buzzes, and two buzzes without a match are found', () => {
  const again = logged(5, 'Matched', 'c2', ANN)
  expect(kindsOf(followedBy(again))).toEqual(['matches'])
  const { tries, log } = soundHistory()
  const first = tries.filter(({ command }) => command === 'c1')
  const alone = [log[0]!, { ...logged(1, 'Matched', 'c1', ANN) }]
  expect(kindsOf({ tries: first, log: alone, looks: [], counted: [] })).toEqual(['matches'])
  expect(kindsOf({ tries: tries.slice(0, 2), log: log.slice(0, 2), looks: [], counted: [] })).toEqual(['matches'])
})

test('a second buzz of the same member is doubled', () => {
  const { tries, log } = soundHistory()
  const both = [log[0]!, { ...log[0]!, position: 'p0001', revision: 1, command: 'b2' }]
  const sent = [tries[0]!, tried('b2', 'buzz', ANN, BEA)]
  expect(kindsOf({ tries: sent, log: both, looks: [], counted: [] })).toEqual(['doubled'])
})

test.each(['Blocked', 'Unmatched'])('a message after %s is found', (type) => {
  const end = logged(5, type, 'end', BEA, ANN)
  expect(kindsOf(followedBy(end))).toEqual([])
  const late = checkHistory(followedBy(end, word(6)))
  expect(late).toEqual([{ kind: 'message-after-end', what: `${STREAM}@6: a message after ${type}` }])
})

test('a read that misses an own acknowledged operation is stale', () => {
  const looks = [{ ...look('messages', ANN, []), other: BEA }]
  expect(kindsOf({ ...soundHistory(), looks })).toEqual(['stale-read'])
})

test('a read that misses what another did is not', () => {
  const looks = [{ ...look('messages', ANN, ['m1']), other: BEA }]
  expect(kindsOf({ ...soundHistory(), looks })).toEqual([])
})

test('a read that shows what never was, or what is yet to come, is false', () => {
  const sound = soundHistory()
  const never = [{ ...look('messages', ANN, ['m1', 'm2']), other: BEA }]
  expect(kindsOf({ ...sound, looks: never })).toEqual(['false-read'])
  const early = [{ ...look('matches', ANN, [BEA]), invoked: 16, ended: 18 }]
  expect(kindsOf({ ...sound, looks: early })).toEqual(['false-read'])
})

test('a repeat of a block that stands records nothing, and one that does not stand is lost', () => {
  const block = logged(5, 'Blocked', 'b1', ANN, BEA)
  const history = followedBy(block)
  const repeat = (position: string) => ({ ...tried('b2', 'block', ANN, BEA), position })
  expect(kindsOf({ ...history, tries: [...history.tries, repeat('p0005')] })).toEqual([])
  expect(kindsOf({ ...history, tries: [...history.tries, repeat('p0004')] })).toEqual(['lost'])
})

test.each(['unread', 'likedCount', 'likedYouCount', 'matchCount'] as const)('a wrong %s is found', (name) => {
  const counted = [{ ...counters(ANN, 1), [name]: 7 }]
  expect(kindsOf({ ...soundHistory(), counted })).toEqual(['counter'])
})
