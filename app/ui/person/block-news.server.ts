import { pairDecider } from '../../../domain/pair/decider.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireMember } from '../../request/guards.server.ts'

export type BlockNews = { id: MemberId; name: string; blocked: boolean; commandId: string }

/**
 * Whom the address calls blocked or unblocked, as far as it is so; null for anybody else. Of an unblock it has the command that
 * lifted the block, since nothing else is left of it.
 */
export async function blockNews(context: RequestContext, request: Request): Promise<BlockNews | null> {
  const params = new URL(request.url).searchParams
  const blocked = params.has('blocked')
  const id = MemberId.safeParse(params.get('blocked') ?? params.get('unblocked')).data
  // The start page is anybody's.
  if (!id || (await context.viewer())?.status !== 'active') return null
  const acting = await requireMember(context)
  const { access, owner } = await findEncounter(context.read, acting.who.member, id)
  if (!owner || access === null || access === 'unavailable' || access === 'self') return null
  if ((access === 'blocked-by-me') !== blocked) return null
  if (!blocked && !(await hasUnblocked(acting, id, params.get('command')))) return null
  return { id, name: owner.first_name, blocked, commandId: crypto.randomUUID() }
}

function hasUnblocked(acting: Acting, target: MemberId, sent: string | null): Promise<boolean> {
  const command = { type: 'Unblock' as const, by: acting.who.member, target, at: acting.now() }
  return acting.isRepeat(pairDecider, command, CommandId.parse(sent))
}
