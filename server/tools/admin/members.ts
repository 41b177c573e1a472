import { type AccountStatus, memberDecider } from '../../../domain/identity/member.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { epochOf } from '../../../projections/engine/set-back.ts'
import { isLost } from '../../../usecases/identity/forget-lost.ts'
import type { Product } from '../../product.ts'

/** Somebody whom a tool was asked about, as the log knows them. */
export type Known = {
  readonly member: MemberId
  readonly status: AccountStatus
}

/** By e-mail address or id; null when nobody has it, also after an erasure that came to its end. */
export async function findMember(product: Product, who: string): Promise<Known | null> {
  const member = await idOf(product, who)
  if (!member) return null
  const { status } = await product.core.loadState(memberDecider, member)
  return status === 'none' ? null : { member, status }
}

/**
 * The same for somebody who signed up in what the log has lost; null for all others. Of a log that was never found to be set back
 * nobody is: it may be the wrong one.
 */
export async function findLost(product: Product, who: string): Promise<MemberId | null> {
  const { core, services } = product
  if ((await epochOf(core.storage.pool, core.log)) === (await core.log.id())) return null
  const member = await idOf(product, who)
  const context = { credentials: services.credentials, loadState: core.loadState }
  return member && (await isLost(context, member)) ? member : null
}

async function idOf({ services }: Product, who: string): Promise<MemberId | undefined> {
  return who.includes('@') ? (await services.credentials.findByEmail(who))?.member : MemberId.safeParse(who).data
}
