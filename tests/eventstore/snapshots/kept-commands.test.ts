import { expect, test } from 'vitest'
import { pairDecider } from '../../../domain/pair/decider.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { CommandIndex, type CommandMark } from '../../../eventstore/snapshots/command-index.ts'
import { noSnapshots } from '../../../eventstore/snapshots/snapshots.ts'
import { type Folded, StateCache } from '../../../eventstore/state-cache.ts'
import { type Folding, StreamLoader } from '../../../eventstore/stream-loader.ts'

const EVERY = 5
const folding = pairDecider as unknown as Folding<unknown>
const [unread, position] = [{} as never, 'somewhere' as Position]

/** A fold of as many events as commands. */
function foldOf(commands: number, older = CommandIndex.EMPTY): Folded<unknown> {
  const mark = (revision: number): CommandMark => ({ revision, count: 1, commandHash: undefined })
  const marks = Array.from({ length: commands - older.end }, (_, n) => older.end + n)
  const map = new Map(marks.map((revision) => [`command ${revision}`, mark(revision)]))
  return { state: pairDecider.initial, revision: commands - 1, position, older, commands: map }
}

const loader = () =>
  new StreamLoader({
    log: unread,
    codec: unread,
    cache: new StateCache(1_000),
    snapshots: { ...noSnapshots, every: EVERY },
  })

test('commands are known by id until a snapshot is due, and by the index from then on', () => {
  const early = loader().keep(folding, 'pair-a_b', foldOf(EVERY - 1), 0)
  expect([early.commands.size, early.older.size]).toEqual([EVERY - 1, 0])
  const due = loader().keep(folding, 'pair-a_b', foldOf(EVERY), 0)
  expect([due.commands.size, due.older.size]).toEqual([0, EVERY])
  const later = loader().keep(folding, 'pair-a_b', foldOf(EVERY + 2, due.older), 0)
  expect([later.commands.size, later.older.size]).toEqual([2, EVERY])
})

test('what another load has marked behind the end of a fold is in neither', () => {
  const folded = { ...foldOf(EVERY + 3), revision: EVERY - 1 }
  const kept = loader().keep(folding, 'pair-a_b', folded, 0)
  expect([kept.commands.size, kept.older.size, kept.older.end]).toEqual([0, EVERY, EVERY])
})
