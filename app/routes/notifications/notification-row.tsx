import { Form, useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { Notification } from '../../../projections/notifications/queries.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useMatchMoment } from '../../ui/match/match-moment.tsx'
import { Menu, MenuButton, MenuLink } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { NotificationAnswer } from './action.server.ts'

type Row = Notification & { photo: string | null }

/** One notification: who, what, when; Match Back where someone waits, and a menu with the rest (spec 2 §2). */
export function NotificationRow({ row }: { row: Row }) {
  const fetcher = useFetcher<NotificationAnswer>()
  useAnswer(fetcher.data, row.fromId)
  const leaving = fetcher.formData?.get('intent')
  if (leaving === 'remove' || leaving === 'block') return null
  const read = row.read || leaving === 'read'
  return (
    <li className={classes('notice', !read && 'notice-unread')}>
      <Form method="post" className="notice-open">
        <input type="hidden" name="id" value={row.id} />
        <button type="submit" name="intent" value="open">
          <Avatar name={row.message} src={row.photo} />
          <span className="notice-words">
            <span>{row.message}</span>
            <RelativeTime at={row.createdAt} className="soft small" />
          </span>
          {read ? null : <span className="notice-dot">unread</span>}
        </button>
      </Form>
      {row.subtype === 'match_request' ? (
        <div className="notice-actions">
          <fetcher.Form method="post">
            <input type="hidden" name="from" value={row.fromId} />
            <input type="hidden" name="intent" value="match-back" />
            <Button tone="petal" busy={leaving === 'match-back'}>
              Match Back
            </Button>
          </fetcher.Form>
          <LinkButton to={`/view/${row.fromId}`} tone="quiet">
            View Profile
          </LinkButton>
        </div>
      ) : null}
      <Menu label="More about this notification">
        <fetcher.Form method="post">
          <input type="hidden" name="id" value={row.id} />
          <input type="hidden" name="from" value={row.fromId} />
          {read ? null : (
            <MenuButton icon="check" name="intent" value="read">
              Mark read
            </MenuButton>
          )}
          <MenuButton icon="trash-2" name="intent" value="remove">
            Remove
          </MenuButton>
          <MenuLink to={`/block/${row.fromId}`} icon="ban" tone="alarm">
            Block user
          </MenuLink>
        </fetcher.Form>
      </Menu>
    </li>
  )
}

/** With script the answer is a toast, and a match is the big moment. */
function useAnswer(answer: NotificationAnswer | undefined, from: string): void {
  const toast = useToast()
  const showMatch = useMatchMoment()
  const seen = useRef<NotificationAnswer>()
  useEffect(() => {
    if (!answer || seen.current === answer) return
    seen.current = answer
    if (!answer.ok) toast({ text: answer.error, tone: 'alarm' })
    else if (answer.matched) showMatch(from)
    else toast({ text: answer.text, tone: 'leaf' })
  }, [answer, from, toast, showMatch])
}
