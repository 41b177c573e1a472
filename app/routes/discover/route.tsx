import { type ActionFunctionArgs, data, type HeadersFunction, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import { useRef } from 'react'
import { ageOn } from '../../../domain/shared/dates.ts'
import { wantedBy } from '../../../projections/discover/filters.ts'
import { findSeeker } from '../../../projections/discover/queries.ts'
import { slowDown } from '../../../usecases/act.ts'
import { dealTo } from '../../../usecases/discover/deal-deck.ts'
import { townsAt } from '../../../usecases/discover/find-location.ts'
import { readsAgain } from '../../forms/quiet.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { notReady, requireMember } from '../../request/guards.server.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { placeLabel } from '../../words/location-words.ts'
import { discoverAction } from './action.server.ts'
import { dealtCard } from './deck/dealt-card.ts'
import { Deck } from './deck/deck.tsx'
import { EmptyDeck } from './deck/empty-deck.tsx'
import { Sides } from './deck/more.tsx'
import { SeenEnough } from './deck/seen-enough.tsx'
import { useDeck } from './deck/use-deck.ts'
import { useDeckFocus } from './deck/use-deck-focus.ts'
import { deckFilters, isFiltered, namesFilters, offeredTo, searchOf } from './deck-filters.ts'
import { FilterBanner } from './filter-banner.tsx'
import { filterNews } from './filter-news.server.ts'
import { Filters } from './filters.tsx'
import { folded } from './folded.tsx'
import { forgetFilters, keepFilters, keptSearch } from './kept-filters.server.ts'
import { keptFirst } from './kept-first.server.ts'
import { LocationForm } from './location-form.tsx'
import type { DiscoverReply } from './reply.ts'
import { usableFilters } from './usable-filters.server.ts'
import { useLocationNews } from './use-location-news.ts'
import { Welcome } from './welcome.tsx'
import { wideningOf } from './widening.server.ts'
import './discover.css'

export const meta = () => pageTitle('Discover')
export const handle: ShellHandle = { fill: true }
export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

const FoldedSides = folded({
  drawn: import.meta.env.SSR && Sides,
  load: async () => (await import('./deck/more.tsx')).Sides,
  media: '(min-width: 1024px)',
})

/** Cards sent at once: more are read when five are left, so that nobody waits for one on a slow network. */
const CARDS = 10

/**
 * The deck of the moment, the filters behind it, and a command id for each thing that can be done with a card. An address
 * without filters leads to those that were asked for last.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const { searchParams } = new URL(request.url)
  const kept = await keptSearch(request, acting.who.member)
  // What a link of another site asks for is not shown either: the page asks again by itself, and then it would be kept.
  const isTheirs = isFromElsewhere(request) && searchOf(deckFilters(searchParams)) !== kept
  if (isTheirs || (kept && !namesFilters(searchParams))) throw redirect(kept ? `/discover?${kept}` : '/discover')
  const seeker = await findSeeker(acting.read, acting.who.member, acting.now())
  if (!seeker) throw notReady()
  const { row: mine, lastSkip } = seeker
  const { filters, closedVibe } = usableFilters(searchParams, mine, acting.who.entitlements.restricted)
  const first = await keptFirst(request, acting.who.member)
  const wait = (await slowDown(acting, 'READ')) ?? (await slowDown(acting, 'DECK'))
  const dealt = wait ?? (await dealTo(acting, seeker, { ...filters, size: CARDS, first }))
  const { users, costliest } = dealt.ok ? dealt.value : { users: [] }
  const waitMs = dealt.ok ? null : (dealt.retryInMs ?? null)
  const on = isFiltered(filters, mine)
  const { age, miles, vibe } = wantedBy(mine, filters)
  const shown = { ageMin: age[0], ageMax: age[1], distanceMiles: miles, vibe }
  const page = {
    deck: users.map((card) => dealtCard(card, mine.interests)),
    // What a deal shows for sure: the page compares it with where its own decisions are.
    pos: context.shown() ?? '',
    full: users.length === CARDS,
    cut: !dealt.ok,
    widening: costliest ? wideningOf(costliest, shown, searchParams) : null,
    waitMs,
    lastSkip: lastSkip && { ...lastSkip, commandId: crypto.randomUUID() },
    hasLocation: seeker.location !== null,
    near: seeker.location && placeLabel(await townsAt(acting, seeker.location)),
    myVibe: mine.vibe,
    filters: shown,
    filterNews: filterNews({ search: searchParams, closedVibe, filters, shown }),
    isVibeClosed: closedVibe !== null,
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
  const headers = new Headers()
  const reply = await discoverAction(acting, { form: await receiveFields(context, request), here, headers })
  const done = reply.done && { ...reply.done, pos: await context.positionFor(reply.status) }
  return data({ ...reply, done }, { status: reply.status, headers })
}

export const clientAction = sendForm()
export const shouldRevalidate = readsAgain

export default function Discover() {
  const page = useLoaderData<typeof loader>()
  const plain = useSentReply<DiscoverReply>()
  const atPlace = plain?.form === 'place' && !page.hasLocation
  const refused = atPlace ? undefined : plain
  useRefusalToast(refused)
  // With script it is a toast.
  const why = useHydrated() ? undefined : errorIn(refused)
  const asked = `${useLocation().search} ${page.filters.vibe} ${page.near}`
  const deck = useDeck({ ...page, asked }, page)
  const { over, news, undoable, undo } = deck
  const whole = useRef<HTMLDivElement>(null)
  useLocationNews(whole, page.near)
  useDeckFocus(whole, deck)
  return (
    <div className="panes">
      <div className="discover pane-main" ref={whole}>
        <h1 className="page-title">Discover</h1>
        <p className="visually-hidden" role="status">
          <span key={news.count}>{news.text}</span>
        </p>
        <Filters {...page} />
        <Welcome />
        <FilterBanner {...page} />
        {why ? (
          <Banner tone="alarm">
            <p>{why}</p>
          </Banner>
        ) : null}
        {page.hasLocation ? null : <LocationForm plain={atPlace ? plain : undefined} open={over} />}
        {over ? null : <Deck deck={deck} />}
        {over &&
          (page.waitMs === null ? (
            <EmptyDeck {...page} undoable={undoable} onUndo={undo} />
          ) : (
            <SeenEnough waitMs={page.waitMs} undoable={undoable} onUndo={undo} />
          ))}
      </div>
      <FoldedSides cards={deck.left} />
    </div>
  )
}
