import { useFetcher } from '@remix-run/react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { MatchScene, type MatchView } from './match-scene.tsx'
import './match-moment.css'

/** The read models may learn of a match after the page. */
const ASK_AGAIN_MS = 500
const ASK_AT_MOST = 60
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

/** The push says only who: the words and pictures come from the page's own loader. */
function MatchOverlay({ other, onClose }: { other: string; onClose: () => void }) {
  const fetcher = useFetcher<MatchView | null>()
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = useRef(0)
  const { load, data: match, state } = fetcher
  useEffect(() => load(`/match/${other}?live`), [load, other])
  useEffect(() => {
    if (match || state !== 'idle' || asked.current >= ASK_AT_MOST) return
    const again = setTimeout(() => {
      asked.current++
      load(`/match/${other}?live`)
    }, ASK_AGAIN_MS)
    return () => clearTimeout(again)
  }, [match, state, load, other])
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
