import { useRevalidator } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useHandle, useRoot } from '../shell/use-shell.ts'
import { MatchMomentProvider, useMatchMoment } from '../ui/match/match-moment.tsx'
import { LiveProvider, useConnectionState, useLiveEvent } from './use-live.tsx'
import './live-root.css'

/**
 * Joins the page to its live connection: a member's alone, begun where the page's data was read. When the session ends,
 * the page reads itself anew: one for members leads to the login, and a sign-out under way goes where it goes.
 */
export function LiveRoot({ children }: { children: ReactNode }) {
  const root = useRoot()
  const { revalidate, state } = useRevalidator()
  const member = root?.member?.status === 'active' ? root.member.id : null
  return (
    <LiveProvider member={member} pos={root?.pos ?? null} revalidate={revalidate} busy={state !== 'idle'}>
      <MatchMomentProvider>
        <MatchWatch />
        {children}
        <OfflineStrip />
      </MatchMomentProvider>
    </LiveProvider>
  )
}

/** A match shows itself wherever the member is, on both sides (spec 1 §4). */
function MatchWatch() {
  const showMatch = useMatchMoment()
  useLiveEvent('match', ({ data }) => showMatch(data.otherUserId))
  return null
}

const OFFLINE = 'You are offline. Nothing can be sent until you are back.'
const OFFLINE_WITH_OUTBOX = 'You are offline. What you write waits on this page and is sent when you are back.'

/** Says quietly that nothing new can arrive, and what becomes of what is written meanwhile. */
function OfflineStrip() {
  const state = useConnectionState()
  const behind = useRoot()?.behind
  const { outbox } = useHandle()
  if (state !== 'offline' && !behind) return null
  const offline = outbox ? OFFLINE_WITH_OUTBOX : OFFLINE
  const words = behind ? 'Your last change is still on its way into these pages. Look again in a moment.' : offline
  return (
    <p className="offline-strip" role="status">
      {words}
    </p>
  )
}
