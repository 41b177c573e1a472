import { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import type { SignedIn } from '../../../usecases/ports.ts'
import { hasEnded } from '../../ui/person/by-command.server.ts'

/** Whom the address calls unmatched, as far as its command did that and nothing has come of the two since; null else. */
export async function unmatchedName(acting: SignedIn, request: Request): Promise<string | null> {
  const params = new URL(request.url).searchParams
  const id = MemberId.safeParse(params.get('unmatched')).data
  if (!id) return null
  const { access, owner, relation } = await findEncounter(acting.read, acting.who.member, id)
  const isApart = owner && relation.unmatched_at !== null && relation.matched_at === null
  if (!isApart || access === null || access === 'unavailable' || access === 'blocked-by-me') return null
  const sent = params.get('command')
  return (await hasEnded(acting, { type: 'Unmatch', target: id, sent })) ? owner.first_name : null
}
