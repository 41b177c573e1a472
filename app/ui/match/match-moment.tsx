import { useFetcher } from '@remix-run/react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { MatchScene, type MatchView } from './match-scene.tsx'
import './match-moment.css'

const ASK_AGAIN_MS = 500
const ASK_AGAIN_AT_MOST_MS = 8_000
const MatchContext = createContext<(other: string) => void>(() => {})

/** Shows the match with this member, over whatever page is open. */
export function useMatchMoment(): (other: string) => void {
  return useContext(MatchContext)
}

/** Holds the one overlay; the same match is shown once, whether the answer or the live event came first. */
export function MatchMomentProvider({ children }: { children: ReactNode }) {
  const [other, setOther] = useState<string | null>(null)
  const shown = useRef(new Set<string>())
  const show = useCallback((member: string) => {
    if (shown.current.has(member)) return
    shown.current.add(member)
    setOther(member)
  }, [])
  const close = () => {
    setOther(null)
    // What was pressed may be gone by then, as a notification is that was answered.
    if (isFocusLost()) document.getElementById('main')?.focus()
  }
  return (
    <MatchContext.Provider value={show}>
      {children}
      {other ? <MatchOverlay key={other} other={other} onClose={close} /> : null}
    </MatchContext.Provider>
  )
}

/**
 * Asks now and again, since the read models may learn of a match after the page: with longer and longer waits, because each
 * time gives up the one before. Answers how to stop.
 */
function keepAsking(ask: () => void): () => void {
  let waitMs = ASK_AGAIN_MS
  let timer: ReturnType<typeof setTimeout>
  const next = () => {
    ask()
    timer = setTimeout(next, waitMs)
    waitMs = Math.min(2 * waitMs, ASK_AGAIN_AT_MOST_MS)
  }
  next()
  return () => clearTimeout(timer)
}

/** The push names only who: the words and pictures come from the page's own loader. */
function MatchOverlay({ other, onClose }: { other: string; onClose: () => void }) {
  const fetcher = useFetcher<MatchView | null>()
  const dialog = useRef<HTMLDialogElement>(null)
  const { load, data: match } = fetcher
  const isKnown = Boolean(match)
  useEffect(() => (isKnown ? undefined : keepAsking(() => load(`/match/${other}?live`))), [isKnown, load, other])
  useEffect(() => {
    if (match && !dialog.current?.open) dialog.current?.showModal()
  }, [match])
  if (!match) return null
  return (
    <dialog ref={dialog} className="match-overlay" aria-labelledby="match-title" onClose={onClose}>
      <MatchScene match={match} onClose={() => dialog.current?.close()} />
    </dialog>
  )
}
