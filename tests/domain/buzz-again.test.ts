import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PairCommand } from '../../domain/pair/commands.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import type { PairEvent } from '../../domain/pair/events.ts'
import { addMs, days } from '../../domain/shared/dates.ts'
import { given } from '../support/given.ts'
import { ann, bea, blocked, T0, unblocked } from '../support/people.ts'

const SECOND = 1_000
const after = (ms: number) => addMs(T0, ms)
const buzz = (ms: number, from = ann, to = bea) =>
  ({ type: 'Buzz', from, to, via: 'profile', at: after(ms) }) as const satisfies PairCommand
const buzzed = (ms: number, from = ann, to = bea): PairEvent => ({ ...buzz(ms, from, to), type: 'Buzzed' })
const withdrawn = (ms: number): PairEvent => ({ type: 'BuzzWithdrawn', from: ann, to: bea, at: after(ms) })
/** A buzz at each of these times, taken back at once. */
const takenBackAt = (...times: number[]) => times.flatMap((ms) => [buzzed(ms), withdrawn(ms)])
const past = (...events: unknown[]) => given(pairDecider, ...(events as PairEvent[]))

test('a buzz waits ten seconds behind one that was taken back, to the millisecond', () => {
  const taken = past(...takenBackAt(0))
  taken.when(buzz(10 * SECOND - 1)).thenRefused('slow-down', 1)
  taken.when(buzz(0)).thenRefused('slow-down', 10 * SECOND)
  taken.when(buzz(10 * SECOND)).then(buzzed(10 * SECOND))
})

test('behind three of a day it waits until the first of them is a day ago', () => {
  past(...takenBackAt(0, 20 * SECOND))
    .when(buzz(30 * SECOND))
    .then(buzzed(30 * SECOND))
  const taken = past(...takenBackAt(0, 20 * SECOND, 40 * SECOND))
  taken.when(buzz(41 * SECOND)).thenRefused('slow-down', days(1) - 41 * SECOND)
  taken.when(buzz(days(1) - 1)).thenRefused('slow-down', 1)
  taken.when(buzz(days(1))).then(buzzed(days(1)))
  past(...takenBackAt(0, days(1) - 2 * SECOND, days(1) - SECOND))
    .when(buzz(days(1)))
    .thenRefused('slow-down', 9 * SECOND)
})

test('a block takes a buzz of who blocks back, and counts as that from then on', () => {
  const lifted = past(buzzed(0), blocked(ann, bea), { ...unblocked(ann, bea), at: after(SECOND) })
  lifted.when(buzz(2 * SECOND)).thenRefused('slow-down', 8 * SECOND)
  lifted.when(buzz(10 * SECOND)).then(buzzed(10 * SECOND))
  lifted.when(buzz(2 * SECOND, bea, ann)).then(buzzed(2 * SECOND, bea, ann))
})

test('a block that took no buzz back counts for none, however often it is lifted', () => {
  const lifted = (ms: number) => [
    { ...blocked(ann, bea), at: after(ms) },
    { ...unblocked(ann, bea), at: after(ms + 1) },
  ]
  const often = [0, SECOND, 2 * SECOND, 3 * SECOND].flatMap(lifted)
  past(...often)
    .when(buzz(3 * SECOND + 2))
    .then(buzzed(3 * SECOND + 2))
  past(buzzed(0, bea, ann), ...often)
    .when(buzz(3 * SECOND + 2))
    .then(buzzed(3 * SECOND + 2))
})

test('a buzz that a hidden block ended counts as one that is there, for who blocks in turn', () => {
  past(buzzed(0), blocked(bea, ann), blocked(ann, bea), unblocked(bea, ann), unblocked(ann, bea))
    .when(buzz(SECOND))
    .thenRefused('slow-down', 9 * SECOND)
})

test('a buzz that a hidden block ended is taken back, and counts once the block is lifted', () => {
  past(buzzed(0), blocked(bea, ann), withdrawn(SECOND), { ...unblocked(bea, ann), at: after(2 * SECOND) })
    .when(buzz(3 * SECOND))
    .thenRefused('slow-down', 8 * SECOND)
})

test('it counts for who took it back alone, and a refusal that is known otherwise comes first', () => {
  const taken = past(...takenBackAt(0))
  taken.when(buzz(SECOND, bea, ann)).then(buzzed(SECOND, bea, ann))
  past(...takenBackAt(0), blocked(bea, ann))
    .when(buzz(SECOND))
    .thenRefused('blocked')
})

test('where no limit holds a buzz does not wait', () => {
  past(...takenBackAt(0, SECOND, 2 * SECOND))
    .when({ ...buzz(3 * SECOND), unlimited: true })
    .then(buzzed(3 * SECOND))
})

test('no more than three times are kept of each', () => {
  const { state } = past(...takenBackAt(...Array.from({ length: 50 }, (_, n) => n * days(1))))
  expect(state.takenBack).toEqual({ [ann]: [after(47 * days(1)), after(48 * days(1)), after(49 * days(1))] })
})

const ACTS = ['Buzz', 'WithdrawBuzz', 'Block', 'Unblock'] as const
const tries = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat(30), fc.boolean()), { minLength: 10, maxLength: 60 })
type Tries = readonly (readonly [(typeof ACTS)[number], number, boolean])[]

function commandOf(act: (typeof ACTS)[number], at: Date): PairCommand {
  if (act === 'Buzz') return { type: act, from: ann, to: bea, via: 'profile', at }
  if (act === 'WithdrawBuzz') return { type: act, from: ann, to: bea, at }
  return { type: act, by: ann, target: bea, at }
}

/** What really happens when she tries these things, seconds or hours apart. */
function live(attempts: Tries): PairEvent[] {
  let [state, time] = [pairDecider.initial, T0]
  return attempts.flatMap(([act, wait, long]) => {
    time = addMs(time, wait * (long ? 600 : 1) * SECOND)
    const decision = pairDecider.decide(commandOf(act, time), state)
    const events = decision.ok ? decision.events : []
    state = events.reduce(pairDecider.evolve, state)
    return [...events]
  })
}

/** Of hers: a block is one where she has a buzz. */
function takesBack({ type }: PairEvent, before: readonly PairEvent[]): boolean {
  const last = before.findLast((event) => event.type !== 'Unblocked')
  return type === 'BuzzWithdrawn' || (type === 'Blocked' && last?.type === 'Buzzed')
}

test('whatever is tried, no buzz comes sooner than ten seconds behind a take-back, or behind three of a day', () => {
  const reached = new Set<number>()
  const check = (attempts: Tries) => {
    const events = live(attempts)
    for (const [index, { type, at }] of events.entries()) {
      if (type !== 'Buzzed') continue
      const taken = events.slice(0, index).filter((event, of) => takesBack(event, events.slice(0, of)))
      const ages = taken.map((event) => at.getTime() - event.at.getTime())
      expect(ages.filter((age) => age < 10 * SECOND)).toEqual([])
      reached.add(ages.filter((age) => age < days(1)).length)
    }
  }
  fc.assert(fc.property(tries, check), { numRuns: 500 })
  expect(reached).toEqual(new Set([0, 1, 2]))
})

test('what a clock noted that ran ahead makes nobody wait for longer than the rule does', () => {
  past(...takenBackAt(days(30)))
    .when(buzz(0))
    .then(buzzed(0))
  past(...takenBackAt(days(1), days(1) + 20 * SECOND, days(1) + 40 * SECOND))
    .when(buzz(0))
    .then(buzzed(0))
  past(...takenBackAt(5 * SECOND))
    .when(buzz(0))
    .thenRefused('slow-down', 10 * SECOND)
  past(...takenBackAt(2 * SECOND, 3 * SECOND, 4 * SECOND))
    .when(buzz(0))
    .thenRefused('slow-down', days(1))
})
