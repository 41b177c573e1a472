import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { getSocialStats, listLiked, listLikedYou, listMatches } from '../../../projections/relations/queries.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { OwnInfo } from './own-info.tsx'
import { LISTS, type Listed, SocialConnections, SocialDialog, type SocialList } from './social.tsx'

/** The Info tab, and the list that the address asks for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const asked = new URL(request.url).searchParams.get('show')
  const list = LISTS.find((one) => one === asked) ?? null
  const [self, stats, people] = await Promise.all([
    getSelf(context.read, me, context.now()),
    getSocialStats(context.read, me),
    list ? listPeople(context, me, list) : [],
  ])
  return { self, stats, list, people }
}

async function listPeople({ read, now }: RequestContext, me: MemberId, list: SocialList): Promise<Listed[]> {
  if (list === 'matches') {
    const matches = await listMatches(read, me)
    return matches.map(({ id, firstName, lastName, avatar }) => ({
      id,
      avatar,
      name: [firstName, lastName].filter(Boolean).join(' '),
    }))
  }
  const cards = await (list === 'liked' ? listLiked : listLikedYou)(read, me, { now: now() })
  return cards.map(({ id, firstName, photos }) => ({ id, name: firstName, avatar: photos[0]?.url ?? null }))
}

export default function ProfileInfo() {
  const { self, stats, list, people } = useLoaderData<typeof loader>()
  return (
    <>
      <OwnInfo self={self} />
      <SocialConnections stats={stats} />
      {list ? <SocialDialog key={list} list={list} people={people} /> : null}
    </>
  )
}
