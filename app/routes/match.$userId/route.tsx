import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { findMatch, getOwnCard } from '../../../projections/profiles/queries.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import type { FormReply } from '../../forms/reply.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { useShownMatch } from '../../ui/match/match-moment.tsx'
import { MatchScene } from '../../ui/match/match-scene.tsx'
import type { MatchView } from '../../ui/match/match-view.ts'
import { openersFor } from '../../words/openers.ts'
import './match.css'

export const meta = () => pageTitle("It's a match")

/**
 * Both portraits and an opener: the page after a match without script, and the data of the overlay with it. The
 * overlay asks with `live`, since a push may come before the read models: it gets null and asks again.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const other = MemberId.safeParse(params.userId)
  const view = other.success ? await findMatchView(context.read, me, other.data, context.now()) : null
  if (!view && !new URL(request.url).searchParams.has('live')) throw notFound()
  return view
}

async function findMatchView(read: ReadDb, me: MemberId, other: MemberId, now: Date): Promise<MatchView | null> {
  const [own, match] = await Promise.all([getOwnCard(read, me), findMatch(read, me, other, now)])
  if (!match) return null
  const { id, firstName, avatar } = match
  return {
    roomId: pairIdOf(me, id),
    me: { firstName: own.firstName, avatar: own.avatar },
    other: { id, firstName, avatar },
    openers: openersFor({ me: own, other: match, now }),
    messageId: crypto.randomUUID(),
  }
}

/** Read once, like the overlay: where the match ends meanwhile, what is being written stays, and the room that it is sent to shows why. */
export const shouldRevalidate = () => false

export default function MatchPage() {
  const match = useLoaderData<typeof loader>()
  const brought = useSentReply<() => Promise<FormReply>>()
  useShownMatch(match?.other.id)
  return <div className="match-page">{match ? <MatchScene match={match} reply={brought} /> : null}</div>
}
