import { redirect } from '@remix-run/node'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findEncounter } from '../../../projections/view/access.ts'
import { firstNameFor } from '../../../projections/view/visibility.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { evidenceOf } from '../../../usecases/safety/reportable.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { notFound } from '../../request/guards.server.ts'

/** Who looks, and the member that the address names. */
export type Addressed = { me: MemberId; userId: string | undefined }

/** The other member of the address; 404 for what cannot be one, and off to the own profile for oneself. */
export function requireOther({ me, userId }: Addressed): MemberId {
  const other = MemberId.safeParse(userId)
  if (!other.success) throw new Response('Profile not found.', { status: 404, statusText: 'Profile not found.' })
  if (other.data === me) throw redirect('/profile')
  return other.data
}

/** `name` is null where the member may not be seen, so that the page shows no more than a profile would (ruling R5). */
export type OtherMember = { id: MemberId; name: string | null; blocked: boolean; matched: boolean; commandId: string }

/**
 * Whom a page of block, unmatch or report asks about, or 404. With `reporter`, members who are gone count as long as they can
 * be reported (api-contract C44).
 */
export async function loadOther(
  context: RequestContext,
  addressed: Addressed,
  reporter?: Acting,
): Promise<OtherMember> {
  const id = requireOther(addressed)
  const { access, owner, relation } = await findEncounter(context.read, addressed.me, id)
  if (access === null && !(reporter && (await evidenceOf(reporter, id)))) throw notFound()
  return {
    id,
    matched: access === 'matched',
    blocked: access === 'blocked-by-me',
    commandId: crypto.randomUUID(),
    name: owner ? firstNameFor(addressed.me, owner, relation) : null,
  }
}
