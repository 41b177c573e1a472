import type { RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, membersOf, type PairId, pairIdOf } from '../../domain/shared/ids.ts'
import { pairOf } from '../rights/changes.ts'
import type { Item, Ring } from './ring.ts'

/** Pushes that an event takes back, of one member or of everybody. */
type Retraction = { readonly of: MemberId | 'all'; readonly gone: (item: Item) => boolean }

/** What was pushed of an unmatched pair, of a withdrawn buzz and of an erased member is not pushed again. */
export function retractionsOf(event: RecordedEvent): readonly Retraction[] {
  const isOf = (pair: PairId) => (item: Item) => item.about?.pair === pair
  switch (event.type) {
    case 'Blocked':
    case 'Unmatched': {
      const pair = pairOf(event)
      return membersOf(pair).map((member) => ({ of: member, gone: isOf(pair) }))
    }
    case 'BuzzWithdrawn':
      return [{ of: event.to, gone: isOf(pairIdOf(event.from, event.to)) }]
    case 'AccountErased':
      return [{ of: 'all', gone: ({ about }) => about !== null && membersOf(about.pair).includes(event.member) }]
    default:
      return []
  }
}

type Pushed = Pick<Ring, 'retract' | 'retractAll'>

/** Takes back what the event takes back, of what was pushed or waits for it. */
export function retract(pushed: Pushed, event: RecordedEvent): void {
  for (const { of, gone } of retractionsOf(event)) {
    if (of === 'all') pushed.retractAll(gone)
    else pushed.retract(of, gone)
  }
}
