import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type Cursor, cursorFrom, type Page } from '../../../projections/paging.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import {
  getSocialStats,
  listLiked,
  listLikedYou,
  listMatches,
  type Match,
} from '../../../projections/relations/queries.ts'
import type { SignedIn } from '../../../usecases/ports.ts'
import { redirectIfPassed } from '../../request/first-page.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { OwnInfo } from './own-info.tsx'
import { LISTS, type ListedMember, SocialConnections, SocialDialog, type SocialList } from './social.tsx'

/** The Info tab, and the list that the address asks for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const search = new URL(request.url).searchParams
  const list = LISTS.find((one) => one === search.get('show')) ?? null
  const after = cursorFrom(search.get('after'))
  const [self, stats, people] = await Promise.all([
    getSelf(context.read, me, context.now()),
    getSocialStats(context.read, me),
    list ? listPeople(acting, { list, after }) : NOBODY,
  ])
  if (list) redirectIfPassed(request, people.items.length === 0)
  return { self, stats, list, people, later: after !== undefined }
}

const NOBODY: Page<ListedMember> = { items: [], next: null }
type Asked = { list: SocialList; after: Cursor | undefined }

async function listPeople({ read, now, who }: SignedIn, { list, after }: Asked): Promise<Page<ListedMember>> {
  const me = who.member
  if (list === 'matches') {
    const { items, next } = await listMatches(read, me, { after })
    const nameOf = ({ firstName, lastName }: Match) => [firstName, lastName].filter(Boolean).join(' ')
    return { items: items.map((match) => ({ id: match.id, avatar: match.avatar, name: nameOf(match) })), next }
  }
  const options = { now: now(), eligible: who.entitlements.restricted, after }
  const { items, next } = await (list === 'liked' ? listLiked : listLikedYou)(read, me, options)
  const listed = items.map(({ id, firstName, photos }) => ({ id, name: firstName, avatar: photos[0]?.url ?? null }))
  return { items: listed, next }
}

export default function ProfileInfo() {
  const { self, stats, list, people, later } = useLoaderData<typeof loader>()
  return (
    <>
      <OwnInfo self={self} />
      <SocialConnections stats={stats} />
      {list ? <SocialDialog key={list} list={list} people={people.items} next={people.next} later={later} /> : null}
    </>
  )
}
