import { useFetcher, useRevalidator } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SIGNOUT_FETCHER } from '../shell/shell.ts'
import { useRoot } from '../shell/use-shell.ts'
import { MatchMomentProvider, useMatchMoment } from '../ui/match/match-moment.tsx'
import { underWay } from '../ui/under-way.ts'
import { LiveProvider, useLiveEvent } from './use-live.tsx'
import { useNews, useNewsToast } from './use-news.ts'

/**
 * Joins the page to its live connection: a member's alone, begun where the page's data was read. When the session ends,
 * the page reads itself anew: one for members leads to the login, and a sign-out under way goes where it goes.
 */
export function LiveRoot({ children }: { children: ReactNode }) {
  const root = useRoot()
  const { revalidate, state } = useRevalidator()
  const isLeaving = underWay(useFetcher({ key: SIGNOUT_FETCHER })) !== undefined
  const member = root?.member?.status === 'active' ? root.member.id : null
  return (
    <LiveProvider
      member={member}
      pos={root?.pos ?? null}
      epoch={root?.epoch}
      revalidate={isLeaving ? noRead : revalidate}
      busy={state !== 'idle'}
    >
      {/*
       * The page learns of the route of matches before it needs it: one that is read again while the route is looked for takes it
       * for one that does not exist. Remix looks for what links and forms of the page lead to.
       */}
      {member && <form hidden action="/match/-" data-discover="true" />}
      <Moments>{children}</Moments>
    </LiveProvider>
  )
}

/** A match shows itself wherever the member is, on both sides (spec 1 §4); what else is new is a toast. */
function Moments({ children }: { children: ReactNode }) {
  const toast = useNewsToast()
  return (
    <MatchMomentProvider onElsewhere={(other) => toast({ kind: 'match', from: other })}>
      <Watch />
      {children}
    </MatchMomentProvider>
  )
}

function Watch() {
  const showMatch = useMatchMoment()
  useLiveEvent('match', ({ data }) => showMatch(data.otherUserId))
  useNews()
  return null
}

const noRead = () => undefined
