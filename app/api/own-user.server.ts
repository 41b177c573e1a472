import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccountState } from '../../projections/accounts/queries.ts'
import { getSelf } from '../../projections/profiles/queries.ts'
import type { SelfView } from '../../projections/view/present-self.ts'
import type { RequestContext } from '../request/context.server.ts'

/** How often a new member's profile is waited for, each time as long as a write waits. */
const WAITS = 6

/** The member's own profile, with what this request wrote, or found written when it asked for it. */
export async function ownUser(context: RequestContext, member: MemberId): Promise<SelfView> {
  const position = await context.positionFor(200)
  for (let waits = 0; position && waits < WAITS; waits++) {
    const there = await context.caughtUp(position)
    if (there || (await findAccountState(context.read, member))?.started) break
  }
  return getSelf(context.read, member, context.now())
}
