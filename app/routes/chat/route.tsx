import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Form, Outlet, useLoaderData, useParams } from '@remix-run/react'
import { MemberId } from '../../../domain/shared/ids.ts'
import { listConversations } from '../../../projections/conversations/queries.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { usePresence } from '../../live/use-chat.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { ConversationRow } from './conversation-row.tsx'
import './chat.css'

export const meta = () => pageTitle('Chat')
export const handle: ShellHandle = { fill: true }

/** The matches one can talk with; `u` opens one of them (spec 1 §2). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const me = await requireMember(context)
  const { searchParams } = new URL(request.url)
  const wanted = MemberId.safeParse(searchParams.get('u'))
  if (wanted.success) throw redirect(`/chat/${wanted.data}`)
  const search = (searchParams.get('q') ?? '').slice(0, 100)
  const conversations = await listConversations(context.read, me, { search })
  const online = conversations.filter((one) => context.presence.isOnline(one.id)).map((one) => one.id)
  return { me, conversations, online, search }
}

export default function Chat() {
  const { me, conversations, online, search } = useLoaderData<typeof loader>()
  const { userId } = useParams()
  const present = usePresence(online)
  /** An open room is what the page is about. */
  const Title = userId ? 'h2' : 'h1'
  return (
    <div className={classes('chat', userId && 'chat-open')}>
      <aside className="chat-side" aria-label="Matches">
        <header className="chat-side-head">
          <Title className="chat-title">Chat</Title>
          <Form method="get" action="/chat" role="search">
            <TextInput
              label="Search matches"
              hideLabel
              name="q"
              optional
              type="search"
              defaultValue={search}
              placeholder="Search"
            />
          </Form>
        </header>
        {conversations.length === 0 ? (
          <NoMatches search={search} />
        ) : (
          <ul className="chat-list">
            {conversations.map((conversation) => (
              <ConversationRow
                key={conversation.id}
                conversation={conversation}
                me={me}
                online={present.has(conversation.id)}
              />
            ))}
          </ul>
        )}
      </aside>
      <section className="chat-main">
        <Outlet />
      </section>
    </div>
  )
}

function NoMatches({ search }: { search: string }) {
  if (search) {
    return (
      <EmptyState icon="search" title="Nobody by that name" action={<LinkButton to="/chat">Show all</LinkButton>}>
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
