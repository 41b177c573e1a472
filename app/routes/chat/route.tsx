import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Outlet, useLoaderData, useParams } from '@remix-run/react'
import { MemberId } from '../../../domain/shared/ids.ts'
import { listConversations } from '../../../projections/conversations/queries.ts'
import { cursorFrom } from '../../../projections/paging.ts'
import { usePresence } from '../../live/use-chat.ts'
import { redirectIfPassed } from '../../request/first-page.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { NEWEST } from '../../request/newest.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { MorePages } from '../../ui/more-pages.tsx'
import { Pane, Panes } from '../../ui/panes/panes.tsx'
import { useListPath } from '../../ui/room-path.ts'
import { MatchList } from './match-list.tsx'
import { SearchBox, useMatchSearch } from './match-search.tsx'
import './chat.css'

export const meta = () => pageTitle('Chat')
export const handle: ShellHandle = { fill: true }

/** The matches one can write to, a page at a time; `u` opens one of them (spec 1 §2). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const { searchParams } = new URL(request.url)
  const wanted = MemberId.safeParse(searchParams.get('u'))
  if (wanted.success) throw redirect(`/chat/${wanted.data}#${NEWEST}`)
  const search = (searchParams.get('q') ?? '').slice(0, 100)
  const after = cursorFrom(searchParams.get('after'))
  const { items, next } = await listConversations(context.read, me, { search, after })
  redirectIfPassed(request, items.length === 0)
  const online = items.filter((one) => context.presence.isOnline(one.id)).map((one) => one.id)
  return { me, conversations: items, online, search, next, later: after !== undefined }
}

export default function Chat() {
  const { me, conversations, online, search, next, later } = useLoaderData<typeof loader>()
  const { userId } = useParams()
  const matchSearch = useMatchSearch({ search, whole: next === null && !later })
  const { typed } = matchSearch
  const found = matchSearch.found(conversations)
  const present = usePresence(online)
  const none = conversations.length === 0 && !search && !typed
  /** An open room is what the page is about. */
  const Title = userId ? 'h2' : 'h1'
  return (
    <Panes className={classes('chat', userId && 'chat-open')}>
      <Pane place="side" label="Matches" className="chat-side">
        <header className="chat-side-head">
          <Title className="chat-title page-title">Chat</Title>
          {none ? null : <SearchBox search={matchSearch} asked={search} />}
          <p className="visually-hidden" role="status">
            {typed ? `${found.length} ${found.length === 1 ? 'match' : 'matches'}` : ''}
          </p>
        </header>
        {found.length === 0 ? (
          <NoMatches search={conversations.length === 0 ? search : typed} onAll={matchSearch.clear} />
        ) : (
          <MatchList found={found} me={me} present={present} open={userId} />
        )}
        <MorePages list="matches" next={next} later={later} />
      </Pane>
      <section className="chat-main">
        <Outlet context={none} />
      </section>
    </Panes>
  )
}

function NoMatches({ search, onAll }: { search: string; onAll: () => void }) {
  const path = useListPath()
  if (search) {
    return (
      <EmptyState
        icon="search"
        title="Nobody by that name"
        action={
          <LinkButton to={path} onClick={onAll}>
            Show all
          </LinkButton>
        }
      >
        <p>None of your matches is called “{search}”.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="message-circle"
      title="No matches yet"
      action={
        <LinkButton to="/discover" tone="primary" icon="compass">
          Discover people
        </LinkButton>
      }
    >
      <p>When you and someone else buzz each other, you can talk here.</p>
    </EmptyState>
  )
}
