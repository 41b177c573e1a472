import { type AccountStatus, memberDecider } from '../../../domain/identity/member.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import type { Product } from '../../product.ts'

/** Somebody whom a tool was asked about, as the log knows them. */
export type Known = {
  readonly member: MemberId
  readonly status: AccountStatus
}

/** By e-mail address or id; null when nobody has it, also after an erasure that came to its end. */
export async function findMember({ core, services }: Product, who: string): Promise<Known | null> {
  const byEmail = who.includes('@')
  const member = byEmail ? (await services.credentials.findByEmail(who))?.member : MemberId.safeParse(who).data
  if (!member) return null
  const { status } = await core.loadState(memberDecider, member)
  return status === 'none' ? null : { member, status }
}
