import { Form, useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useToast } from '../../ui/feedback/toast.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { afterMatch, useMatchMoment } from '../../ui/match/match-moment.tsx'
import { Menu, MenuButton, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useRoomPath } from '../../ui/room-path.ts'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { NotificationReply } from './reply.ts'
import type { Row } from './rows.ts'
import { useMatchFocus, useRowFocus } from './use-row-focus.ts'

/**
 * One notification: who, what, when; Match Back where someone waits, the conversation once they are matched, and a menu with the rest
 * (spec 2 §2).
 */
export function NotificationRow({ row }: { row: Row }) {
  const fetcher = useFetcher<NotificationReply>()
  const live = useHydrated() ? <input type="hidden" name="live" value="yes" /> : null
  useToastOrMatch(fetcher.data, row.fromId)
  const leaving = underWay(fetcher)?.get('intent')
  const isGone = leaving === 'remove'
  const item = useRef<HTMLLIElement>(null)
  const keepFocus = useRowFocus(item, isGone)
  const pressed = useMatchFocus(item, row.matched)
  if (isGone) return null
  const read = row.read || leaving === 'read'
  return (
    <li className={classes('notice', !read && 'notice-unread')} ref={item}>
      <Form method="post" className="notice-open">
        <Owner />
        <input type="hidden" name="id" value={row.id} />
        <button type="submit" name="intent" value="open">
          <Avatar name={row.firstName} src={row.photo} />
          <span className="notice-words">
            <span>{row.message}</span>
            <RelativeTime at={row.createdAt} className="soft small" />
          </span>
          {read ? null : <span className="notice-dot">unread</span>}
        </button>
      </Form>
      {row.matched ? (
        <div className="notice-actions">
          <RoomLink row={row} />
        </div>
      ) : row.subtype === 'match_request' ? (
        <div className="notice-actions">
          <fetcher.Form method="post" onSubmit={pressed}>
            <Owner />
            <input type="hidden" name="from" value={row.fromId} />
            <input type="hidden" name="intent" value="match-back" />
            {live}
            <Button tone="petal" busy={leaving === 'match-back'}>
              Match Back<span className="visually-hidden"> with {row.firstName}</span>
            </Button>
          </fetcher.Form>
          <LinkButton to={`/view/${row.fromId}`} tone="quiet">
            View Profile<span className="visually-hidden"> of {row.firstName}</span>
          </LinkButton>
        </div>
      ) : null}
      <Menu label={`More about ${row.firstName}`}>
        <fetcher.Form method="post" onSubmit={keepFocus}>
          <Owner />
          <input type="hidden" name="id" value={row.id} />
          {live}
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

function RoomLink({ row: { fromId, firstName, begun } }: { row: Row }) {
  return (
    <LinkButton to={useRoomPath(fromId)} icon="message-circle" {...afterMatch(fromId)}>
      {begun ? 'Open chat' : 'Say hello'}
      <span className="visually-hidden">
        {begun ? ' with ' : ' to '}
        {firstName}
      </span>
    </LinkButton>
  )
}

/** With script the reply is a toast, and a match is the big moment. */
function useToastOrMatch(reply: NotificationReply | undefined, from: string): void {
  const toast = useToast()
  const showMatch = useMatchMoment()
  const seen = useRef<NotificationReply>()
  useRefusalToast(reply)
  useEffect(() => {
    if (!reply || seen.current === reply) return
    seen.current = reply
    if (reply.done?.matched) showMatch(from)
    else if (reply.done) toast({ text: reply.done.text, tone: 'leaf' })
  }, [reply, from, toast, showMatch])
}
