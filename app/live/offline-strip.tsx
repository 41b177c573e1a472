import { useEffect, useState } from 'react'
import { useHandle, useRoot } from '../shell/use-shell.ts'
import type { LiveState } from './connection.ts'
import { useConnectionState } from './use-live.tsx'
import './offline-strip.css'

/** What nobody would notice is not worth a word. */
const AWAY_AFTER_MS = 5_000

type Words = { readonly words: string; readonly withOutbox: string }

const OFFLINE: Words = {
  words: 'You are offline. Nothing can be sent until you are back.',
  withOutbox: 'You are offline. What you write waits on this page and is sent when you are back.',
}
const AWAY: Words = {
  words: 'LetsBuzz does not answer right now. This page goes on once it does.',
  withOutbox: 'LetsBuzz does not answer right now. What you write waits on this page and is sent once it does.',
}
const BEHIND = 'Your last change is still on its way. Look again in a moment.'

/** Announces quietly that nothing new can arrive, and what becomes of what is written meanwhile. */
export function OfflineStrip() {
  const state = useConnectionState()
  const isAway = useAway(state)
  const behind = useRoot()?.behind
  const { outbox } = useHandle()
  const why = state === 'offline' ? OFFLINE : isAway ? AWAY : null
  if (!behind && !why) return null
  return (
    <p className="offline-strip" role="status">
      {behind ? BEHIND : outbox ? why?.withOutbox : why?.words}
    </p>
  )
}

/** Whether the server has been tried in vain for a while. */
function useAway(state: LiveState): boolean {
  const isTried = state === 'waiting' || state === 'connecting'
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    if (!isTried) return
    const timer = setTimeout(() => setIsAway(true), AWAY_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsAway(false)
    }
  }, [isTried])
  return isAway
}
