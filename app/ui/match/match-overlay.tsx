import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { useRoot } from '../../shell/use-shell.ts'
import { MatchScene } from './match-scene.tsx'
import type { MatchView } from './match-view.ts'
import './match-overlay.css'

const ASK_AGAIN_MS = 500
const ASK_AGAIN_AT_MOST_MS = 8_000
const PATIENCE_MS = 2_500
/** Two short beats. */
const BEATS_MS = [40, 80, 40]

/**
 * Asks now and again, since the read models may learn of a match after the page: with longer and longer waits. An answer that
 * is on its way is waited for, but no longer than `PATIENCE_MS`: the router may have joined it to a read of the whole page,
 * and each time gives up the one before. Answers how to stop.
 */
function keepAsking(isAsking: () => boolean, ask: () => void): () => void {
  let waitMs = ASK_AGAIN_MS
  let askedAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout>
  const next = () => {
    if (!isAsking() || performance.now() - askedAt > PATIENCE_MS) {
      askedAt = performance.now()
      ask()
    }
    timer = setTimeout(next, waitMs)
    waitMs = Math.min(2 * waitMs, ASK_AGAIN_AT_MOST_MS)
  }
  next()
  return () => clearTimeout(timer)
}

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
