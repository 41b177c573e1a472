import { type MemberId, membersOf, type PairId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Rights } from '../rights.ts'

/** The member is one of the two, the id is sorted by bytes, they are matched and none blocked the other. */
export function isOpenTo(room: PairId, member: MemberId, rights: Rights): boolean {
  const [a, b] = membersOf(room)
  return (a === member || b === member) && a !== b && pairIdOf(a, b) === room && rights.open(room)
}
