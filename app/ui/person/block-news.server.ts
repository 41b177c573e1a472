import { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import type { RequestContext } from '../../request/context.server.ts'

export type BlockNews = { id: MemberId; name: string; blocked: boolean; commandId: string }

/** What the address calls blocked or unblocked, as far as it is so; null for a visitor, and for anybody else. */
export async function blockNews(context: RequestContext, request: Request): Promise<BlockNews | null> {
  const params = new URL(request.url).searchParams
  const blocked = params.has('blocked')
  const id = MemberId.safeParse(params.get('blocked') ?? params.get('unblocked')).data
  const who = id && (await context.viewer())
  if (!who) return null
  const { access, owner } = await findEncounter(context.read, who.member, id)
  if (!owner || (access === 'blocked-by-me') !== blocked || access === null || access === 'unavailable') return null
  return { id, name: owner.first_name, blocked, commandId: crypto.randomUUID() }
}
