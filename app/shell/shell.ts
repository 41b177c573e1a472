import type { ShouldRevalidateFunction } from '@remix-run/react'
import { readsAgain } from '../forms/quiet.ts'
import type { FormReply } from '../forms/reply.ts'
import type { Theme } from './theme.ts'

/** What the frame around every page shows of the signed-in member. */
export type ShellMember = {
  id: string
  firstName: string
  avatarUrl: string | null
  /** An `onboarding` member may only finish the wizard (ruling R13). */
  status: 'active' | 'onboarding' | 'deactivated'
  unread: { chat: number; buzzes: number; notifications: number }
}

/** What every page gets from the root loader. */
export type RootData = {
  member: ShellMember | null
  theme: Theme
  mode: 'local' | 'production'
  /** The server's time, ISO: relative times render the same on both sides. */
  now: string
  /** The position in the log that the page's data shows at least; the live connection begins there. */
  pos: string | null
  /** The life of the log that `pos` is of; undefined where it is not known. */
  epoch: string | undefined
  /** What was typed on the page of this path when a session was over. */
  carried: { readonly path: string; readonly reply: FormReply<never> } | null
  /** The read models had not reached the member's own last change in time. */
  behind: boolean
}

/** The fetcher that signs out, wherever its button is. */
export const SIGNOUT_FETCHER = 'signout'

/** The Notifications badge shows the buzz count if there is one, else the total (spec 2 §2). */
export function notificationCount(unread: ShellMember['unread']): number {
  return unread.buzzes > 0 ? unread.buzzes : unread.notifications
}

/** Set by a route as `export const handle: ShellHandle` to shape the frame around it. */
export type ShellHandle = {
  /** `bare` leaves out every bar; sign-in pages do. */
  frame?: 'bare'
  /** The page fills the window and scrolls inside: Discover on a phone, chat. */
  fill?: boolean
  /** On a phone the page needs the space of the bottom bar: an open conversation. */
  hideBottomBar?: boolean
  /** The words of a second skip link, to the box with the id `message`, far down the order of Tab. */
  skipTo?: string
  /** What is written on the page waits for the connection. */
  outbox?: boolean
}

const BARE = new Set(['/login', '/signup', '/register'])

/** Login, sign-up and the wizard show no navigation (spec 2 §2). */
export function isBare(pathname: string): boolean {
  return BARE.has(pathname.toLowerCase().replace(/\/+$/, ''))
}

/** As `readsAgain`; besides, a sheet that opens or closes over its page reads nothing, and needs no network. */
export const readsForSheet: ShouldRevalidateFunction = (asked) => {
  const { formMethod, currentUrl: from, nextUrl: to } = asked
  return (
    readsAgain(asked) &&
    (!!formMethod ||
      from.search === to.search ||
      from.pathname !== to.pathname ||
      !/section=/.test(from.search + to.search))
  )
}
