import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { MemberId } from '../../domain/shared/ids.ts'
import type { ProfileView } from '../../projections/present.ts'
import { findProfile, getSelf } from '../../projections/profiles/queries.ts'
import { MatchScene } from '../components/match/match-scene.tsx'
import { notFound, requireMember } from '../lib/guards.server.ts'
import { openersFor } from '../lib/openers.ts'
import { pageTitle } from '../lib/page-title.ts'

export const meta = () => pageTitle("It's a match")

/** Both portraits and something to say: the page after a match without script, and the data of the overlay with it. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const me = await requireMember(context)
  const other = MemberId.safeParse(params.userId)
  if (!other.success) throw notFound()
  const now = context.now()
  const [self, answer] = await Promise.all([
    getSelf(context.read, me, now),
    findProfile(context.read, me, other.data, { now }),
  ])
  if (!answer?.matched || !answer.user) throw notFound()
  const user = answer.user as ProfileView
  return {
    me: { firstName: self.firstName, avatar: self.avatar || null },
    other: { id: user.id, firstName: user.firstName, avatar: user.avatar ?? null },
    opener: openersFor(user, self.interests)[0]!,
  }
}

export default function MatchPage() {
  return (
    <div className="match-page">
      <MatchScene match={useLoaderData<typeof loader>()} />
    </div>
  )
}
