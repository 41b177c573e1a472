import { type ActionFunctionArgs, data, type HeadersFunction, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { ageOn } from '../../../domain/shared/dates.ts'
import { findSeeker } from '../../../projections/discover/queries.ts'
import { slowDown } from '../../../usecases/act.ts'
import { dealTo } from '../../../usecases/discover/deal-deck.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { notReady, requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { discoverAction } from './action.server.ts'
import { dealtCard } from './dealt-card.ts'
import { Deck } from './deck.tsx'
import { areTurned, deckFilters, isFiltered, namesFilters, offeredTo, searchOf } from './deck-filters.ts'
import { EmptyDeck } from './empty-deck.tsx'
import { Filters } from './filters.tsx'
import { forgetFilters, keepFilters, keptSearch } from './kept-filters.server.ts'
import { LocationForm } from './location-form.tsx'
import type { DiscoverReply } from './reply.ts'
import { SeenEnough } from './seen-enough.tsx'
import { useDeckNews } from './use-deck-news.ts'
import { useEmptyFocus } from './use-empty-focus.ts'
import { useLocationNews } from './use-location-news.ts'
import { Welcome } from './welcome.tsx'
import './discover.css'

export const meta = () => pageTitle('Discover')
export const handle: ShellHandle = { fill: true }
export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/**
 * Cards sent at once: the three that are drawn, and as many behind them as can be swiped away while a decision and the
 * reload after it are on their way over a slow network. Each reload deals this many again.
 */
const CARDS = 10

/**
 * The deck of the moment, the filters behind it, and a command id for each thing that can be done with a card. An address
 * without filters leads to those that were asked for last.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const { searchParams } = new URL(request.url)
  const kept = await keptSearch(request, acting.who.member)
  if (kept && !namesFilters(searchParams)) throw redirect(`/discover?${kept}`)
  const filters = deckFilters(searchParams)
  const seeker = await findSeeker(acting.read, acting.who.member, acting.now())
  if (!seeker) throw notReady()
  const dealt = (await slowDown(acting, 'READ')) ?? (await dealTo(acting, seeker, { ...filters, size: CARDS }))
  const { users, costliest = null } = dealt.ok ? dealt.value : { users: [] }
  const waitMs = dealt.ok ? null : (dealt.retryInMs ?? null)
  const { row: mine, lastSkip } = seeker
  const on = isFiltered(filters, mine)
  const page = {
    deck: users.map((card) => dealtCard(card, mine.interests)),
    costliest,
    waitMs,
    lastSkip: lastSkip && { ...lastSkip, commandId: crypto.randomUUID() },
    hasLocation: seeker.location !== null,
    myVibe: mine.vibe,
    filters: {
      ageMin: filters.ageMin ?? mine.age_min,
      ageMax: filters.ageMax ?? mine.age_max,
      distanceMiles: filters.distanceMiles ?? mine.distance_miles,
      vibe: filters.vibe ?? null,
    },
    areTurned: areTurned(searchParams),
    isFiltered: on,
    offered: on ? null : offeredTo(ageOn(mine.dob, acting.now()), mine),
    commandId: crypto.randomUUID(),
  }
  const headers = new Headers()
  if (on && kept !== searchOf(filters)) headers.set('Set-Cookie', await keepFilters(acting.who.member, filters))
  if (kept && !on) headers.set('Set-Cookie', await forgetFilters())
  if (waitMs === null) return data(page, { headers })
  headers.set('Retry-After', String(Math.ceil(waitMs / 1000)))
  return data(page, { status: 429, headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const { pathname, search } = new URL(request.url)
  const here = pathname.replace(/\.data$/, '') + search
  const reply = await discoverAction(acting, await receiveFields(context, request), here)
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function Discover() {
  const page = useLoaderData<typeof loader>()
  const plain = useSentReply<DiscoverReply>()
  const atPlace = plain?.form === 'place' && !page.hasLocation
  const refused = atPlace ? undefined : plain
  useRefusalToast(refused)
  const hydrated = useHydrated()
  const deck = page.deck.length > 0
  const whole = useRef<HTMLDivElement>(null)
  useEmptyFocus(whole, deck)
  const { news, announce } = useDeckNews(page)
  useLocationNews(whole, page.hasLocation, announce)
  return (
    <div className="discover" ref={whole}>
      <h1 className="visually-hidden">Discover</h1>
      <p className="visually-hidden" role="status">
        <span key={news.count}>{news.text}</span>
      </p>
      <Filters
        filters={page.filters}
        on={page.isFiltered}
        offered={page.offered}
        myVibe={page.myVibe}
        commandId={page.commandId}
      />
      <Welcome />
      {page.areTurned ? <Turned {...page.filters} /> : null}
      {errorIn(refused) && !hydrated ? (
        <Banner tone="alarm">
          <p>{errorIn(refused)}</p>
        </Banner>
      ) : null}
      {page.hasLocation ? null : <LocationForm plain={atPlace ? plain : undefined} open={!deck} />}
      {deck ? <Deck cards={page.deck} lastSkip={page.lastSkip} announce={announce} /> : null}
      {page.waitMs === null ? null : <SeenEnough waitMs={page.waitMs} lastSkip={page.lastSkip} />}
      {deck || page.waitMs !== null ? null : (
        <EmptyDeck costliest={page.costliest} filters={page.filters} lastSkip={page.lastSkip} />
      )}
    </div>
  )
}

/** What became of a range from the higher age to the lower one. */
function Turned({ ageMin, ageMax }: { ageMin: number; ageMax: number }) {
  return (
    <Banner live>
      <p>{`The ages were the wrong way round: these are people from ${ageMin} to ${ageMax}.`}</p>
    </Banner>
  )
}
