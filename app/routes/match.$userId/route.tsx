import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { MemberId } from '../../../domain/shared/ids.ts'
import { findProfile, getSelf } from '../../../projections/profiles/queries.ts'
import type { ProfileView } from '../../../projections/view/present.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { MatchScene, type MatchView } from '../../ui/match/match-scene.tsx'
import { openersFor } from '../../words/openers.ts'
import './match.css'

export const meta = () => pageTitle("It's a match")

/**
 * Both portraits and something to say: the page after a match without script, and the data of the overlay with it. The
 * overlay asks with `live`, since a push may come before the read models: it gets null and asks again.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const me = await requireMember(context)
  const other = MemberId.safeParse(params.userId)
  const view = other.success ? await findMatchView(context, me, other.data) : null
  if (!view && !new URL(request.url).searchParams.has('live')) throw notFound()
  return view
}

async function findMatchView(context: RequestContext, me: MemberId, other: MemberId): Promise<MatchView | null> {
  const now = context.now()
  const [self, answer] = await Promise.all([
    getSelf(context.read, me, now),
    findProfile(context.read, me, other, { now }),
  ])
  if (!answer?.matched || !answer.user) return null
  const user = answer.user as ProfileView
  return {
    me: { firstName: self.firstName, avatar: self.avatar || null },
    other: { id: user.id, firstName: user.firstName, avatar: user.avatar ?? null },
    opener: openersFor(user, self.interests)[0],
  }
}

export default function MatchPage() {
  const match = useLoaderData<typeof loader>()
  return <div className="match-page">{match ? <MatchScene match={match} /> : null}</div>
}
