import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { listBegun } from '../../../projections/conversations/begun.ts'
import {
  findNewestPosition,
  getNotificationCounts,
  listNotifications,
} from '../../../projections/notifications/queries.ts'
import { loadFaces } from '../../../projections/view/cards.ts'
import { readsAgain } from '../../forms/quiet.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { Owner } from '../../shell/owner.tsx'
import { pageTitle } from '../../shell/page-title.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { capped } from '../../words/capped.ts'
import { notificationAction } from './action.server.ts'
import { NotificationList } from './notification-list.tsx'
import type { NotificationReply } from './reply.ts'
import { rowsWith } from './rows.ts'
import { useRowsFocus } from './use-rows-focus.ts'
import './notifications.css'

export const meta = () => pageTitle('Notifications')

const KINDS = ['buzz', 'match'] as const
const KIND_LABELS = { buzz: 'Buzzes', match: 'Matches' } as const

const EMPTY_WORDS = {
  all: 'When someone buzzes you, or you match, it shows up here.',
  buzz: 'When someone buzzes you, it shows up here until you answer.',
  match: 'When you and someone buzz each other, it shows up here.',
} as const

export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const asked = new URL(request.url).searchParams.get('type')
  const type = KINDS.find((kind) => kind === asked)
  const [rows, counts, newest] = await Promise.all([
    listNotifications(context.read, me, type ? { type } : {}),
    getNotificationCounts(context.read, me),
    findNewestPosition(context.read, me),
  ])
  const others = [...new Set(rows.map((row) => row.fromId))]
  const [faces, begun] = await Promise.all([loadFaces(context.read, me, others), listBegun(context.read, me, others)])
  return {
    type: type ?? null,
    counts,
    newest,
    rows: rowsWith(faces, begun, rows),
    commandId: crypto.randomUUID(),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await notificationAction(acting, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm()
/** As the frame does: its badges and the counts here are of one moment. */
export const shouldRevalidate = readsAgain

export default function Notifications() {
  const { rows, counts, type, newest, commandId } = useLoaderData<typeof loader>()
  const error = errorIn(useActionData<NotificationReply>())
  const tab = (kind: (typeof KINDS)[number]) => ({
    to: `/notifications?type=${kind}`,
    label: KIND_LABELS[kind],
    current: type === kind,
    count: counts[kind],
  })
  return (
    <div className="column stack" {...useRowsFocus(rows)}>
      <header className="row spread page-title">
        <h1>Notifications</h1>
        {newest && counts.total > 0 ? (
          <Form method="post" className="row">
            <Owner />
            <span className="soft tabular from-tablet">{capped(counts.total)} unread</span>
            <input type="hidden" name="upTo" value={newest} />
            <input type="hidden" name="commandId" value={commandId} />
            <Button name="intent" value="read-all" icon="check-check" tone="quiet">
              Mark all read
            </Button>
          </Form>
        ) : null}
      </header>
      <Tabs
        label="Kinds of notifications"
        tabs={[{ to: '/notifications', label: 'All', current: type === null, count: counts.total }, ...KINDS.map(tab)]}
      />
      {error ? (
        <Banner tone="alarm" live>
          <p>{error}</p>
        </Banner>
      ) : null}
      {rows.length === 0 ? (
        <EmptyState
          icon="bell"
          title="Nothing here yet"
          action={
            <LinkButton to="/discover" tone="primary" icon="compass">
              Discover people
            </LinkButton>
          }
        >
          <p>{EMPTY_WORDS[type ?? 'all']}</p>
        </EmptyState>
      ) : (
        <NotificationList key={type} rows={rows} />
      )}
    </div>
  )
}
