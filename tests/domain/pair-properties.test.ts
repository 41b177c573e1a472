import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PairCommand } from '../../domain/pair/commands.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import type { PairEvent } from '../../domain/pair/events.ts'
import { ann, bea, messageId, minute } from '../support/people.ts'

type Make = (me: typeof ann, other: typeof ann, at: Date, n: number) => PairCommand
const MAKERS: readonly Make[] = [
  (from, to, at) => ({ type: 'Buzz', from, to, via: 'discover', at }),
  (from, to, at) => ({ type: 'Buzz', from, to, via: 'notification', at }),
  (from, to, at) => ({ type: 'WithdrawBuzz', from, to, at }),
  (by, target, at) => ({ type: 'Skip', by, target, at }),
  (by, target, at) => ({ type: 'UndoSkip', by, target, at }),
  (by, target, at) => ({ type: 'Unmatch', by, target, at }),
  (by, target, at) => ({ type: 'Block', by, target, at }),
  (by, target, at) => ({ type: 'Unblock', by, target, at }),
  (from, to, at, n) => ({ type: 'SendMessage', message: messageId(`m${n}`), from, to, text: 'x', media: null, at }),
  (by, other, at, n) => ({ type: 'MarkRead', by, other, upTo: messageId('m'), number: (n % 5) + 1, at }),
]
/**
 * Buzzes, messages and reads come more often: only two buzzes open a conversation, and only messages that were sent can
 * be read.
 */
const WEIGHTS = [4, 1, 1, 1, 1, 1, 1, 2, 4, 4]
const tries = fc.oneof(...MAKERS.map((_, make) => ({ weight: WEIGHTS[make]!, arbitrary: fc.constant(make) })))
const lives = fc.array(fc.tuple(tries, fc.boolean(), fc.nat(20_000)), {
  minLength: 20,
  maxLength: 80,
})

/** What really happens to two people when they try these things. */
function live(tries: readonly [number, boolean, number][]): PairEvent[] {
  let state = pairDecider.initial
  let time = 0
  return tries.flatMap(([make, annActs, wait], n) => {
    time += wait
    const [me, other] = annActs ? [ann, bea] : [bea, ann]
    const decision = pairDecider.decide(MAKERS[make]!(me, other, minute(time), n), state)
    if (!decision.ok) return []
    state = decision.events.reduce(pairDecider.evolve, state)
    return [...decision.events]
  })
}

/** Reads the log in plain words, apart from the decider's own fold. */
function* walk(events: readonly PairEvent[]) {
  const wants = new Set<string>()
  const blocks = new Set<string>()
  let matched = false
  for (const event of events) {
    yield { event, wants: new Set(wants), blocks: new Set(blocks), matched }
    if (event.type === 'Buzzed') wants.add(event.from)
    if (event.type === 'BuzzWithdrawn') wants.delete(event.from)
    if (event.type === 'Matched') matched = true
    if (event.type === 'Blocked') blocks.add(event.by)
    if (event.type === 'Unblocked') blocks.delete(event.by)
    if (event.type === 'Unmatched' || event.type === 'Blocked') {
      wants.clear()
      matched = false
    }
  }
}

const always = (check: (moment: ReturnType<typeof walk> extends Generator<infer M> ? M : never) => void) =>
  fc.assert(
    fc.property(lives, (tries) => {
      for (const moment of walk(live(tries))) check(moment)
    }),
    { numRuns: 500 },
  )

test('there is never a match without two buzzes', () => {
  always(({ event, wants }) => {
    if (event.type === 'Matched') expect(wants).toEqual(new Set([ann, bea]))
  })
})

test('two buzzes never stay without a match', () => {
  always(({ event, wants, matched }) => {
    if (wants.size === 2 && !matched) expect(event.type).toBe('Matched')
  })
})

test('nothing is sent, read or buzzed while either has blocked', () => {
  always(({ event, blocks }) => {
    if (blocks.size > 0) expect(['MessageSent', 'MessagesRead', 'Buzzed', 'Matched']).not.toContain(event.type)
  })
})

test('nothing is sent outside a match, and messages are numbered without a gap', () => {
  let number = 0
  fc.assert(
    fc.property(lives, (tries) => {
      number = 0
      for (const { event, matched } of walk(live(tries))) {
        if (event.type !== 'MessageSent') continue
        expect([matched, event.number]).toEqual([true, ++number])
      }
    }),
    { numRuns: 500 },
  )
})

test('a life of eighty tries does reach matches, messages and blocks', () => {
  const types = fc.sample(lives, { numRuns: 200, seed: 7 }).flatMap((tries) => live(tries).map(({ type }) => type))
  expect(new Set(types)).toEqual(
    new Set([
      'Buzzed',
      'BuzzWithdrawn',
      'Skipped',
      'SkipUndone',
      'Matched',
      'Unmatched',
      'Blocked',
      'Unblocked',
      'MessageSent',
      'MessagesRead',
    ]),
  )
})
