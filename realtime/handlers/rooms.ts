import { type MemberId, membersOf, otherOf, type PairId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Rights } from '../rights/rights.ts'

/**
 * The member is one of the two, the id is sorted by bytes, they are matched, none blocked the other and both accounts are
 * active: the two ways of being away are alike (ruling R5).
 */
export function isOpenTo(room: PairId, member: MemberId, rights: Pick<Rights, 'open'>): boolean {
  const [a, b] = membersOf(room)
  const isOwn = (a === member || b === member) && a !== b && pairIdOf(a, b) === room
  return isOwn && rights.open(member, otherOf(room, member))
}
