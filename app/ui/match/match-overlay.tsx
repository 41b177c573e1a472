import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { useRoot } from '../../shell/use-shell.ts'
import { keepAsking } from './keep-asking.ts'
import { MatchScene } from './match-scene.tsx'
import type { MatchView } from './match-view.ts'
import './match-overlay.css'

/** Two short beats. */
const BEATS_MS = [40, 80, 40]

/** The push names only who: the words and pictures come from the page's own loader. */
export function MatchOverlay({ other, onClose }: { other: string; onClose: () => void }) {
  const [match, setMatch] = useState<MatchView>()
  const dialog = useRef<HTMLDialogElement>(null)
  const isOwn = useOwnMatch(onClose)
  useEffect(() => {
    if (!match || dialog.current?.open) return
    dialog.current?.showModal()
    vibrate()
  }, [match])
  if (!isOwn) return null
  if (!match) return <Asking other={other} onMatch={setMatch} />
  return (
    <dialog ref={dialog} className="match-overlay" aria-labelledby="match-title" onClose={onClose}>
      <MatchScene match={match} onClose={() => dialog.current?.close()} />
    </dialog>
  )
}

/**
 * Asks until the match is known, and no longer: read again with its page, it would be another scene in the middle of the first,
 * and a session that is over would lead from there, in place of the page.
 */
function Asking({ other, onMatch }: { other: string; onMatch: (match: MatchView) => void }) {
  const { load, data, state: now } = useFetcher<MatchView | null>()
  const state = useRef(now)
  state.current = now
  useEffect(
    () =>
      keepAsking(
        () => state.current !== 'idle',
        () => load(`/match/${other}?live`),
      ),
    [load, other],
  )
  useEffect(() => {
    if (data) onMatch(data)
  }, [data, onMatch])
  return null
}

/** Whether whoever is signed in is the member whose match it is; with another one it ends, and what was written there. */
function useOwnMatch(end: () => void): boolean {
  const me = useRoot()?.member?.id
  const first = useRef(me)
  const isOwn = me === first.current
  const latest = useRef(end)
  latest.current = end
  useEffect(() => {
    if (!isOwn) latest.current()
  }, [isOwn])
  return isOwn
}

/** Where the device can, where motion is welcome, and after a touch: before it the browser refuses, and complains. */
function vibrate(): void {
  const mayMove = !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (mayMove && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BEATS_MS)
}
