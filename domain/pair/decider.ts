import { z } from 'zod'
import { addMs } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import { MemberId, pairIdOf } from '../shared/ids.ts'
import { noteTakenBack, type TakenBack, waitMs } from './buzz-again.ts'
import type { PairCommand, PairCommandOf } from './commands.ts'
import type { PairEvent } from './events.ts'
import { REBUZZ_MS, SKIP_MS } from './limits.ts'

type Bond = { readonly buzzedBy: readonly MemberId[]; readonly matched: boolean }

/** What decisions about two people need: who wants whom, who blocked, and how far each has read. */
export type Pair = {
  readonly buzzedBy: readonly MemberId[]
  readonly matched: boolean
  readonly blockedBy: readonly MemberId[]
  /** What a block ended, for whom it was aimed at: they do not learn of it, and may still take it back (ruling R5). */
  readonly ended: Readonly<Record<string, Bond>>
  readonly takenBack: TakenBack
  readonly skippedUntil: Readonly<Record<string, Date>>
  readonly unmatchedAt: Date | null
  readonly messages: number
  readonly readUpTo: Readonly<Record<string, number>>
}
export type PairRefusal =
  | 'self'
  | 'blocked'
  | 'already-buzzed'
  | 'already-matched'
  | 'not-matched'
  | 'not-buzzed'
  | 'not-blocked'
  | 'not-skipped'
  | 'too-soon'
  | 'slow-down'
  | 'empty'
  | 'unknown-message'

type Verdict = Decision<PairEvent, PairRefusal>

const strangers: Pair = {
  buzzedBy: [],
  matched: false,
  blockedBy: [],
  ended: {},
  takenBack: {},
  skippedUntil: {},
  unmatchedAt: null,
  messages: 0,
  readUpTo: {},
}

const nothing: Bond = { buzzedBy: [], matched: false }

const ofEach = (ended: Pair['ended'], change: (bond: Bond) => Bond): Pair['ended'] =>
  Object.fromEntries(Object.entries(ended).map(([member, bond]) => [member, change(bond)]))

const without = (members: readonly MemberId[], gone: MemberId) => members.filter((member) => member !== gone)

function evolve(pair: Pair, event: PairEvent): Pair {
  switch (event.type) {
    case 'Buzzed':
      return { ...pair, buzzedBy: [...pair.buzzedBy, event.from] }
    case 'BuzzWithdrawn': {
      const take = (bond: Bond) => ({ ...bond, buzzedBy: without(bond.buzzedBy, event.from) })
      const takenBack = noteTakenBack(pair.takenBack, event.from, event.at)
      return { ...pair, buzzedBy: without(pair.buzzedBy, event.from), ended: ofEach(pair.ended, take), takenBack }
    }
    case 'Skipped':
      return { ...pair, skippedUntil: { ...pair.skippedUntil, [event.by]: event.until } }
    case 'SkipUndone': {
      const { [event.by]: _undone, ...rest } = pair.skippedUntil
      return { ...pair, skippedUntil: rest }
    }
    case 'Matched':
      return { ...pair, matched: true, unmatchedAt: null }
    case 'Unmatched':
      return { ...pair, ...nothing, unmatchedAt: event.at, ended: ofEach(pair.ended, () => nothing) }
    case 'Blocked': {
      const { buzzedBy, matched } = pair
      // A block of one's own ends for oneself what the other's had ended.
      const { [event.by]: _own, ...others } = pair.ended
      const ended = { [event.target]: { buzzedBy, matched }, ...others }
      // It takes a buzz of their own back, as they know it (api-contract C40): lifted, it would be a way to buzz at once again.
      const takenBack = asKnownTo(event.by, pair).buzzedBy.includes(event.by)
        ? noteTakenBack(pair.takenBack, event.by, event.at)
        : pair.takenBack
      return { ...pair, ...nothing, blockedBy: [...pair.blockedBy, event.by], ended, takenBack }
    }
    case 'Unblocked': {
      const blockedBy = without(pair.blockedBy, event.by)
      return { ...pair, blockedBy, ended: blockedBy.length === 0 ? {} : pair.ended }
    }
    case 'MessageSent':
      return { ...pair, messages: event.number }
    case 'MessagesRead':
      return { ...pair, readUpTo: { ...pair.readUpTo, [event.by]: event.number } }
  }
}

/**
 * What there is between the two as this one may know it: of a block by the other they learn nothing, and what they take back
 * then is written as it is of somebody who deactivated, so that no position of the log shows which of both it is (ruling R5).
 */
const asKnownTo = (member: MemberId, pair: Pair): Bond => pair.ended[member] ?? pair

function buzz({ from, to, via, at, unlimited }: PairCommandOf<'Buzz'>, pair: Pair): Verdict {
  if (from === to) return refuse('self')
  if (pair.blockedBy.length > 0) return refuse('blocked')
  if (pair.matched) return refuse('already-matched')
  if (pair.buzzedBy.includes(from)) return refuse('already-buzzed')
  const reopens = pair.unmatchedAt && addMs(pair.unmatchedAt, REBUZZ_MS)
  if (reopens && at < reopens) return refuse('too-soon', reopens.getTime() - at.getTime())
  const wait = unlimited ? 0 : waitMs(pair.takenBack, from, at)
  if (wait > 0) return refuse('slow-down', wait)
  const buzzed: PairEvent = { type: 'Buzzed', from, to, via, at }
  return pair.buzzedBy.includes(to)
    ? accept<PairEvent>(buzzed, { type: 'Matched', members: [to, from], at })
    : accept(buzzed)
}

function withdrawBuzz({ from, to, at }: PairCommandOf<'WithdrawBuzz'>, pair: Pair): Verdict {
  const { matched, buzzedBy } = asKnownTo(from, pair)
  if (matched) return refuse('already-matched')
  return buzzedBy.includes(from) ? accept({ type: 'BuzzWithdrawn', from, to, at }) : refuse('not-buzzed')
}

function skip({ by, target, at }: PairCommandOf<'Skip'>, pair: Pair): Verdict {
  if (by === target) return refuse('self')
  if (pair.matched) return refuse('already-matched')
  const until = pair.skippedUntil[by]
  return until && until > at ? accept() : accept({ type: 'Skipped', by, target, until: addMs(at, SKIP_MS), at })
}

function undoSkip({ by, target, at }: PairCommandOf<'UndoSkip'>, pair: Pair): Verdict {
  return pair.skippedUntil[by] ? accept({ type: 'SkipUndone', by, target, at }) : refuse('not-skipped')
}

function unmatch({ by, target, at }: PairCommandOf<'Unmatch'>, pair: Pair): Verdict {
  return asKnownTo(by, pair).matched ? accept({ type: 'Unmatched', by, target, at }) : refuse('not-matched')
}

function block({ by, target, at }: PairCommandOf<'Block'>, pair: Pair): Verdict {
  if (by === target) return refuse('self')
  return pair.blockedBy.includes(by) ? accept() : accept({ type: 'Blocked', by, target, at })
}

function unblock({ by, target, at }: PairCommandOf<'Unblock'>, pair: Pair): Verdict {
  return pair.blockedBy.includes(by) ? accept({ type: 'Unblocked', by, target, at }) : refuse('not-blocked')
}

function sendMessage({ message, from, to, text, media, at }: PairCommandOf<'SendMessage'>, pair: Pair): Verdict {
  if (!pair.matched) return refuse('not-matched')
  if (text === '' && media === null) return refuse('empty')
  return accept({ type: 'MessageSent', message, number: pair.messages + 1, from, to, text, media, at })
}

function markRead({ by, other, upTo, number, at }: PairCommandOf<'MarkRead'>, pair: Pair): Verdict {
  if (!pair.matched) return refuse('not-matched')
  if (number > pair.messages) return refuse('unknown-message')
  if (number <= (pair.readUpTo[by] ?? 0)) return accept()
  return accept({ type: 'MessagesRead', by, other, upTo, number, at })
}

function decide(command: PairCommand, pair: Pair): Verdict {
  switch (command.type) {
    case 'Buzz':
      return buzz(command, pair)
    case 'WithdrawBuzz':
      return withdrawBuzz(command, pair)
    case 'Skip':
      return skip(command, pair)
    case 'UndoSkip':
      return undoSkip(command, pair)
    case 'Unmatch':
      return unmatch(command, pair)
    case 'Block':
      return block(command, pair)
    case 'Unblock':
      return unblock(command, pair)
    case 'SendMessage':
      return sendMessage(command, pair)
    case 'MarkRead':
      return markRead(command, pair)
  }
}

function streamId(command: PairCommand): string {
  if ('from' in command) return pairIdOf(command.from, command.to)
  if ('target' in command) return pairIdOf(command.by, command.target)
  return pairIdOf(command.by, command.other)
}

const PackedBond = z.object({ buzzedBy: z.array(MemberId), matched: z.boolean() })
const Packed = PackedBond.extend({
  blockedBy: z.array(MemberId),
  ended: z.record(z.string(), PackedBond),
  takenBack: z.record(z.string(), z.array(z.coerce.date())),
  skippedUntil: z.record(z.string(), z.coerce.date()),
  unmatchedAt: z.coerce.date().nullable(),
  messages: z.number(),
  readUpTo: z.record(z.string(), z.number()),
})

/** Two people: buzz, skip, match, message, block. One stream, so that "no message after a block" is exact (decision 0003). */
export const pairDecider: Decider<PairCommand, PairEvent, Pair, PairRefusal> = {
  category: 'pair',
  streamId,
  initial: strangers,
  evolve,
  decide,
  impersonal: true,
  snapshot: { version: 4, pack: (pair) => pair, unpack: (packed) => Packed.parse(packed) },
}
