import { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import { firstNameFor } from '../../../projections/view/visibility.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { hasEnded } from './by-command.server.ts'

/** `name` is null where the member may not see it. `matched`: the block ended a match, as the address has it. */
export type BlockNews = { id: MemberId; name: string | null; blocked: boolean; matched: boolean; commandId: string }

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
  const { access, owner, relation } = await findEncounter(context.read, acting.who.member, id)
  if (!owner || access === null || access === 'unavailable' || access === 'self') return null
  if ((access === 'blocked-by-me') !== blocked) return null
  const unblock = { type: 'Unblock', target: id, sent: params.get('command') } as const
  if (!blocked && !(await hasEnded(acting, unblock))) return null
  const matched = blocked && params.has('matched')
  const name = firstNameFor(acting.who.member, owner, relation)
  return { id, name, blocked, matched, commandId: crypto.randomUUID() }
}
