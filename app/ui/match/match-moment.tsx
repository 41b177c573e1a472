import { useFetcher } from '@remix-run/react'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { isLeaving } from '../leaving.ts'
import { MatchScene, type MatchView } from './match-scene.tsx'
import { claimMatch } from './one-tab.ts'
import './match-moment.css'

const ASK_AGAIN_MS = 500
const ASK_AGAIN_AT_MOST_MS = 8_000
/** Two short beats. */
const BEATS_MS = [40, 80, 40]

type Moment = {
  /** Shows the match with this member, unless it is shown already. */
  show: (other: string) => void
  /** It is shown by the page itself. */
  shown: (other: string) => void
}
const nothing = () => undefined
const MatchContext = createContext<Moment>({ show: nothing, shown: nothing })

/** Shows the match with this member, over whatever page is open. */
export function useMatchMoment(): Moment['show'] {
  return useContext(MatchContext).show
}

/** For a page that shows the match itself: no overlay repeats it. */
export function useShownMatch(other: string | undefined): void {
  const { shown } = useContext(MatchContext)
  useEffect(() => {
    if (other) shown(other)
  }, [other, shown])
}

/** Marks what follows a match in the page, for the focus: `<a {...afterMatch(id)}>`. */
export const afterMatch = (other: string) => ({ 'data-after-match': other })

type MatchMomentProps = {
  /** Another tab of the browser shows it, while this one is looked at too. */
  onElsewhere?: (other: string) => void
  children: ReactNode
}

/**
 * Holds the one overlay; the same match is shown once, whether the answer or the live event came first, and in one tab, whichever
 * is looked at.
 */
export function MatchMomentProvider({ onElsewhere = nothing, children }: MatchMomentProps) {
  const [other, setOther] = useState<string | null>(null)
  const known = useRef(new Set<string>())
  const elsewhere = useRef(onElsewhere)
  elsewhere.current = onElsewhere
  const moment = useMemo<Moment>(() => {
    const claim = async (member: string) => {
      if (known.current.has(member)) return null
      known.current.add(member)
      return claimMatch(member)
    }
    return {
      async show(member) {
        // The page that the browser is on its way to shows it.
        if (isLeaving()) return
        const where = await claim(member)
        if (where === 'here' && !isLeaving()) setOther(member)
        if (where === 'elsewhere') elsewhere.current(member)
      },
      shown: (member) => void claim(member),
    }
  }, [])
  const close = (member: string) => {
    setOther(null)
    // What was pressed may be gone by then, as a notification is that was answered.
    if (!isFocusLost()) return
    const next =
      document.querySelector<HTMLElement>(`[data-after-match="${member}"]`) ?? document.getElementById('main')
    next?.focus()
  }
  return (
    <MatchContext.Provider value={moment}>
      {children}
      {other ? <MatchOverlay key={other} other={other} onClose={() => close(other)} /> : null}
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
  const { load, data } = fetcher
  // Read again with the page, it would be another scene in the middle of the first.
  const first = useRef<MatchView>()
  first.current ??= data ?? undefined
  const match = first.current
  const isKnown = Boolean(match)
  useEffect(() => (isKnown ? undefined : keepAsking(() => load(`/match/${other}?live`))), [isKnown, load, other])
  useEffect(() => {
    if (!isKnown || dialog.current?.open) return
    dialog.current?.showModal()
    vibrate()
  }, [isKnown])
  if (!match) return null
  return (
    <dialog ref={dialog} className="match-overlay" aria-labelledby="match-title" onClose={onClose}>
      <MatchScene match={match} onClose={() => dialog.current?.close()} />
    </dialog>
  )
}

/** Where the device can, where motion is welcome, and after a touch: before it the browser refuses, and complains. */
function vibrate(): void {
  const mayMove = !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (mayMove && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BEATS_MS)
}
