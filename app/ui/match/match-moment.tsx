import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { isLeaving } from '../leaving.ts'
import type { MatchOverlay } from './match-overlay.tsx'
import { claimMatch } from './one-tab.ts'

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

/** Most visits have no match: its script and looks come with the first. null: they did not come. */
const loadOverlay = () =>
  import('./match-overlay.tsx').then(
    (module) => module.MatchOverlay,
    () => null,
  )

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
  /** Another tab of the browser shows it, while this one is looked at too; or its script did not come. */
  onElsewhere?: (other: string) => void
  children: ReactNode
}

/**
 * Holds the one overlay; the same match is shown once, whether the answer or the live event came first, and in one tab, whichever
 * is looked at.
 */
export function MatchMomentProvider({ onElsewhere = nothing, children }: MatchMomentProps) {
  const [scene, setScene] = useState<{ other: string; Overlay: typeof MatchOverlay } | null>(null)
  const known = useRef(new Set<string>())
  const elsewhere = useRef(onElsewhere)
  elsewhere.current = onElsewhere
  const moment = useMemo<Moment>(() => {
    const claim = async (member: string) => {
      if (known.current.has(member)) return null
      known.current.add(member)
      return claimMatch(member)
    }
    const show = async (member: string) => {
      // The page that the browser is on its way to shows it.
      if (isLeaving()) return
      const where = await claim(member)
      const Overlay = where === 'here' ? await loadOverlay() : null
      if (Overlay && !isLeaving()) setScene({ other: member, Overlay })
      else if (where === 'here' || where === 'elsewhere') elsewhere.current(member)
    }
    return {
      show: (member) => void show(member),
      shown: (member) => void claim(member),
    }
  }, [])
  const close = (member: string) => {
    setScene(null)
    // What was pressed may be gone by then, as a notification is that was answered.
    if (!isFocusLost()) return
    const next =
      document.querySelector<HTMLElement>(`[data-after-match="${member}"]`) ?? document.getElementById('main')
    next?.focus()
  }
  return (
    <MatchContext.Provider value={moment}>
      {children}
      {scene ? <scene.Overlay key={scene.other} other={scene.other} onClose={() => close(scene.other)} /> : null}
    </MatchContext.Provider>
  )
}
