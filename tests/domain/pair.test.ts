import { describe, expect, test } from 'vitest'
import type { PairCommand } from '../../domain/pair/commands.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import type { PairEvent } from '../../domain/pair/events.ts'
import { REBUZZ_MS, SKIP_MS } from '../../domain/pair/limits.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { given } from '../support/given.ts'
import {
  ann,
  bea,
  blocked,
  buzzed,
  matched,
  mediaId,
  messageId,
  messageSent,
  minute,
  T0,
  unblocked,
  unmatched,
} from '../support/people.ts'

const at = T0
const past = (...events: unknown[]) => given(pairDecider, ...(events as PairEvent[]))
const facts = (...events: unknown[]) => events as PairEvent[]
const buzz = (from = ann, to = bea, when = at): PairCommand => ({ type: 'Buzz', from, to, via: 'discover', at: when })
const send = (text: string, media: ReturnType<typeof mediaId> | null = null): PairCommand => ({
  type: 'SendMessage',
  message: messageId('m-1'),
  from: ann,
  to: bea,
  text,
  media,
  at: minute(1),
})
const met = matched(ann, bea)

describe('of a block that one does not learn of', () => {
  const unmatch = (by = ann, target = bea): PairCommand => ({ type: 'Unmatch', by, target, at })
  const withdraw = (from = ann, to = bea): PairCommand => ({ type: 'WithdrawBuzz', from, to, at })
  const withdrawn = { type: 'BuzzWithdrawn', from: ann, to: bea, at }

  test('an unmatch is written once, as of somebody who deactivated', () => {
    past(...met, blocked(bea, ann))
      .when(unmatch())
      .then(...facts({ ...unmatched(ann, bea), at }))
    past(...met, blocked(bea, ann), unmatched(ann, bea))
      .when(unmatch())
      .thenRefused('not-matched')
    past(blocked(bea, ann)).when(unmatch()).thenRefused('not-matched')
  })
  test('a buzz is taken back once, and none of a match', () => {
    past(buzzed(ann, bea), blocked(bea, ann))
      .when(withdraw())
      .then(...facts(withdrawn))
    past(buzzed(ann, bea), blocked(bea, ann), withdrawn as PairEvent)
      .when(withdraw())
      .thenRefused('not-buzzed')
    past(...met, blocked(bea, ann))
      .when(withdraw())
      .thenRefused('already-matched')
  })
  test('a block of one’s own ends it for oneself, before the other’s or after, also once it is lifted', () => {
    for (const blocks of [
      [blocked(bea, ann), blocked(ann, bea), unblocked(ann, bea)],
      [blocked(ann, bea), blocked(bea, ann), unblocked(ann, bea)],
    ]) {
      past(...met, ...blocks)
        .when(unmatch())
        .thenRefused('not-matched')
      past(buzzed(ann, bea), ...blocks)
        .when(withdraw())
        .thenRefused('not-buzzed')
    }
  })
  test('who blocked, or whose block was lifted, has nothing to take back', () => {
    past(...met, blocked(ann, bea))
      .when(unmatch())
      .thenRefused('not-matched')
    past(...met, blocked(bea, ann), unblocked(bea, ann))
      .when(unmatch())
      .thenRefused('not-matched')
  })
})

describe('Buzz', () => {
  test('a first buzz is only a buzz', () => {
    past()
      .when(buzz())
      .then(...facts(buzzed(ann, bea)))
  })
  test('a buzz back makes the match, naming who buzzed first', () => {
    const match = { type: 'Matched', members: [bea, ann], at }
    past(buzzed(bea, ann))
      .when(buzz())
      .then(...facts(buzzed(ann, bea), match))
  })
  test('a second buzz of the same member is refused', () => {
    past(buzzed(ann, bea)).when(buzz()).thenRefused('already-buzzed')
  })
  test('matches cannot buzz again, whoever tries', () => {
    past(...met)
      .when(buzz())
      .thenRefused('already-matched')
    past(...met)
      .when(buzz(bea, ann))
      .thenRefused('already-matched')
  })
  test('a blocked pair cannot buzz, whichever side blocked', () => {
    past(blocked(ann, bea)).when(buzz()).thenRefused('blocked')
    past(blocked(bea, ann)).when(buzz()).thenRefused('blocked')
  })
  test('nobody buzzes themselves', () => {
    past().when(buzz(ann, ann)).thenRefused('self')
  })
  test('after an unmatch it takes thirty days, to the millisecond, and both buzzes again', () => {
    const over = past(...met, unmatched(bea, ann))
    over.when(buzz(ann, bea, addMs(at, REBUZZ_MS - 1))).thenRefused('too-soon', 1)
    const later = addMs(at, REBUZZ_MS)
    over.when(buzz(ann, bea, later)).then(...facts(buzzed(ann, bea, later)))
  })
  test('after a block is lifted the old buzz does not count', () => {
    past(buzzed(bea, ann), blocked(ann, bea), unblocked(ann, bea))
      .when(buzz(ann, bea, minute(1)))
      .then(...facts(buzzed(ann, bea, minute(1))))
  })
})

describe('WithdrawBuzz', () => {
  const withdraw: PairCommand = { type: 'WithdrawBuzz', from: ann, to: bea, at }
  test('an unanswered buzz is taken back', () => {
    past(buzzed(ann, bea))
      .when(withdraw)
      .then(...facts({ type: 'BuzzWithdrawn', from: ann, to: bea, at }))
  })
  test('what was not buzzed, and a match, cannot be taken back', () => {
    past().when(withdraw).thenRefused('not-buzzed')
    past(buzzed(bea, ann)).when(withdraw).thenRefused('not-buzzed')
    past(...met)
      .when(withdraw)
      .thenRefused('already-matched')
  })
})

describe('Skip', () => {
  const skip: PairCommand = { type: 'Skip', by: ann, target: bea, at }
  const skipped = { type: 'Skipped', by: ann, target: bea, until: addMs(at, SKIP_MS), at }
  test('a skip holds for 112 days and is quiet while it does', () => {
    past()
      .when(skip)
      .then(...facts(skipped))
    past(skipped).when(skip).thenNothing()
    const later = addMs(at, SKIP_MS)
    past(skipped)
      .when({ ...skip, at: later })
      .then(...facts({ ...skipped, until: addMs(later, SKIP_MS), at: later }))
  })
  test('a match and oneself cannot be skipped', () => {
    past(...met)
      .when(skip)
      .thenRefused('already-matched')
    past()
      .when({ ...skip, target: ann })
      .thenRefused('self')
  })
  test('a skip is undone by who made it alone', () => {
    const undo: PairCommand = { type: 'UndoSkip', by: ann, target: bea, at }
    past(skipped)
      .when(undo)
      .then(...facts({ type: 'SkipUndone', by: ann, target: bea, at }))
    past(skipped)
      .when({ ...undo, by: bea, target: ann })
      .thenRefused('not-skipped')
    past(skipped, { type: 'SkipUndone', by: ann, target: bea, at }).when(undo).thenRefused('not-skipped')
  })
})

describe('Unmatch and block', () => {
  test('either of a match may end it, once', () => {
    const unmatch: PairCommand = { type: 'Unmatch', by: bea, target: ann, at }
    past(...met)
      .when(unmatch)
      .then(...facts(unmatched(bea, ann)))
    past(...met, unmatched(ann, bea))
      .when(unmatch)
      .thenRefused('not-matched')
    past().when(unmatch).thenRefused('not-matched')
  })
  test('anyone may block anyone else; blocking twice records nothing new', () => {
    const block: PairCommand = { type: 'Block', by: ann, target: bea, at }
    past()
      .when(block)
      .then(...facts(blocked(ann, bea)))
    past(blocked(bea, ann))
      .when(block)
      .then(...facts(blocked(ann, bea)))
    past(blocked(ann, bea)).when(block).thenNothing()
    past()
      .when({ ...block, target: ann })
      .thenRefused('self')
  })
  test('only who blocked can unblock, and the match does not come back', () => {
    const unblock: PairCommand = { type: 'Unblock', by: ann, target: bea, at }
    past(...met, blocked(ann, bea))
      .when(unblock)
      .then(...facts(unblocked(ann, bea)))
    past(blocked(bea, ann)).when(unblock).thenRefused('not-blocked')
    expect(past(...met, blocked(ann, bea), unblocked(ann, bea)).state).toMatchObject({ matched: false, buzzedBy: [] })
  })
})

describe('SendMessage', () => {
  test('matches write to each other, and messages are numbered for the pair', () => {
    past(...met)
      .when(send('Hi'))
      .then(...facts(messageSent(ann, bea, 1, 'Hi')))
    const second = past(...met, messageSent(bea, ann, 1, 'Hi')).when(send('', mediaId('cat')))
    expect(second.decision).toMatchObject({ ok: true, events: [{ number: 2, text: '', media: mediaId('cat') }] })
  })
  test('nobody sends a message without a match: before it, after an unmatch, after a block', () => {
    past(buzzed(ann, bea)).when(send('Hi')).thenRefused('not-matched')
    past(...met, unmatched(bea, ann))
      .when(send('Hi'))
      .thenRefused('not-matched')
    past(...met, blocked(bea, ann))
      .when(send('Hi'))
      .thenRefused('not-matched')
  })
  test('a message has words or a media item', () => {
    past(...met)
      .when(send(''))
      .thenRefused('empty')
  })
})

describe('MarkRead', () => {
  const conversation = [...met, messageSent(bea, ann, 1, 'a'), messageSent(bea, ann, 2, 'b')]
  const mark = (number: number): PairCommand => ({
    type: 'MarkRead',
    by: ann,
    other: bea,
    upTo: messageId(`m-${number}`),
    number,
    at,
  })
  const read = { type: 'MessagesRead', by: ann, other: bea, upTo: 'm-1', number: 1, at }
  test('reading goes forward only, and never past the last message', () => {
    past(...conversation)
      .when(mark(1))
      .then(...facts(read))
    past(...conversation, read)
      .when(mark(1))
      .thenNothing()
    past(...conversation, { ...read, number: 2 })
      .when(mark(1))
      .thenNothing()
    past(...conversation)
      .when(mark(3))
      .thenRefused('unknown-message')
  })
  test('a closed room takes no receipt', () => {
    past(...conversation, blocked(bea, ann))
      .when(mark(1))
      .thenRefused('not-matched')
  })
})

test('both members meet on one stream, whatever the command', () => {
  const commands: PairCommand[] = [
    buzz(),
    buzz(bea, ann),
    { type: 'Block', by: bea, target: ann, at },
    { type: 'MarkRead', by: bea, other: ann, upTo: messageId('m'), number: 1, at },
  ]
  expect(new Set(commands.map(pairDecider.streamId))).toEqual(new Set([pairIdOf(ann, bea)]))
})
