import { type ActionFunctionArgs, data, type HeadersFunction, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { getSeeker } from '../../../projections/discover/queries.ts'
import { findLastSkip } from '../../../projections/relations/queries.ts'
import { dealDeck } from '../../../usecases/discover/deal-deck.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { discoverAction } from './action.server.ts'
import { Deck } from './deck.tsx'
import { deckFilters } from './deck-filters.ts'
import { EmptyDeck } from './empty-deck.tsx'
import { Filters } from './filters.tsx'
import { LocationForm } from './location-form.tsx'
import type { DiscoverReply } from './reply.ts'
import { SeenEnough } from './seen-enough.tsx'
import { useEmptyFocus } from './use-empty-focus.ts'
import './discover.css'

export const meta = () => pageTitle('Discover')
export const handle: ShellHandle = { fill: true }
export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** The deck of the moment, the filters behind it, and a command id for each thing that can be done with a card. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const now = context.now()
  const filters = deckFilters(new URL(request.url).searchParams)
  const [seeker, dealt, lastSkip] = await Promise.all([
    getSeeker(context.read, me),
    dealDeck(acting, filters),
    findLastSkip(context.read, me, now),
  ])
  const { users, costliest = null } = dealt.ok ? dealt.value : { users: [] }
  const waitMs = dealt.ok ? null : (dealt.retryInMs ?? null)
  const page = {
    deck: users.map((card) => ({ ...card, commandId: crypto.randomUUID() })),
    costliest,
    waitMs,
    lastSkip: lastSkip && { to: lastSkip, commandId: crypto.randomUUID() },
    hasLocation: seeker.hasLocation,
    mine: { interests: seeker.interests, vibe: seeker.vibe },
    filters: {
      ageMin: filters.ageMin ?? seeker.age_min,
      ageMax: filters.ageMax ?? seeker.age_max,
      distanceMiles: filters.distanceMiles ?? seeker.distance_miles,
      vibe: filters.vibe ?? null,
    },
    commandId: crypto.randomUUID(),
  }
  if (waitMs === null) return data(page)
  return data(page, { status: 429, headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await discoverAction(acting, await receiveFields(context, request))
  return data(reply, reply.status)
}

export default function Discover() {
  const page = useLoaderData<typeof loader>()
  const plain = useActionData<DiscoverReply>()
  const refused = plain?.form === 'place' && !page.hasLocation ? null : errorIn(plain)
  const deck = page.deck.length > 0
  const whole = useRef<HTMLDivElement>(null)
  useEmptyFocus(whole, deck)
  return (
    <div className="discover" ref={whole}>
      <h1 className="visually-hidden">Discover</h1>
      <Filters filters={page.filters} myVibe={page.mine.vibe} commandId={page.commandId} />
      {refused ? (
        <Banner tone="alarm" live>
          <p>{refused}</p>
        </Banner>
      ) : null}
      {page.hasLocation ? null : <LocationForm plain={plain?.form === 'place' ? plain : undefined} />}
      {deck ? <Deck cards={page.deck} mine={page.mine.interests} lastSkip={page.lastSkip} /> : null}
      {page.waitMs === null ? null : <SeenEnough waitMs={page.waitMs} lastSkip={page.lastSkip} />}
      {deck || page.waitMs !== null ? null : (
        <EmptyDeck costliest={page.costliest} filters={page.filters} lastSkip={page.lastSkip} />
      )}
    </div>
  )
}
