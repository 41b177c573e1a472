import { type RefObject, useEffect, useRef, useState } from 'react'

const CALM = '(prefers-reduced-motion: reduce)'

type Run = {
  /** What the bar, and a video if there is one, are looked for in. */
  stage: RefObject<HTMLElement>
  at: number
  /** How long it is shown; a video as long as it plays. Null: until the viewer moves on. */
  seconds: number | null
  onEnd: () => void
}

/**
 * Fills the bar of what a stage shows while its time runs, and ends with it. It waits while the viewer has paused it, keeps a
 * finger on it, types or looks at another tab, and from the start for whoever wants little to move.
 */
export function useRun({ stage, at, seconds, onEnd }: Run) {
  const [isPaused, setIsPaused] = useState(false)
  const waits = useWaits(stage)
  const stopped = isPaused || waits.size > 0
  const onRefused = () => setIsPaused(true)
  const now = useRef({ stopped, onEnd, onRefused })
  now.current = { stopped, onEnd, onRefused }
  const running = useRef<Animation | null>(null)
  useEffect(() => setIsPaused(matchMedia(CALM).matches), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one begins anew
  useEffect(() => {
    const bar = stage.current?.querySelector('[aria-current] > .stage-fill')
    const video = stage.current?.querySelector('video')
    if (!bar || seconds === null) return
    const over = new AbortController()
    const { signal } = over
    const begin = () => {
      const length = video && Number.isFinite(video.duration) ? video.duration : seconds
      const frames = { transform: ['scaleX(0)', 'scaleX(1)'] }
      const run = bar.animate(frames, { duration: 1000 * length, fill: 'forwards' })
      running.current = run
      if (!video) run.onfinish = () => now.current.onEnd()
      go(run, video, now.current)
    }
    // A video waits for what has not arrived yet, and its bar with it.
    video?.addEventListener('timeupdate', () => running.current && keepUp(running.current, video), { signal })
    video?.addEventListener('ended', () => now.current.onEnd(), { signal })
    if (video && video.readyState === 0) video.addEventListener('loadedmetadata', begin, { once: true, signal })
    else begin()
    return () => {
      over.abort()
      running.current?.cancel()
      running.current = null
    }
  }, [stage, at, seconds])
  useEffect(() => {
    if (running.current) go(running.current, stage.current?.querySelector('video'), { ...now.current, stopped })
  }, [stage, stopped])
  return { isPaused, setIsPaused, wait: waits.wait }
}

type Going = { stopped: boolean; onRefused: () => void }

/** A browser may refuse to play what nobody has touched: the viewer starts it then. */
function go(run: Animation, video: HTMLVideoElement | null | undefined, { stopped, onRefused }: Going): void {
  if (stopped) {
    run.pause()
    video?.pause()
    return
  }
  run.play()
  video?.play().catch((error: unknown) => {
    if ((error as DOMException).name === 'NotAllowedError') onRefused()
  })
}

function keepUp(run: Animation, { currentTime }: HTMLVideoElement): void {
  if (run.playState === 'running') run.currentTime = 1000 * currentTime
}

type Wait = 'finger' | 'typing' | 'elsewhere'

/** What keeps it waiting, until that is over. */
function useWaits(stage: RefObject<HTMLElement>) {
  const [all, setAll] = useState<ReadonlySet<Wait>>(new Set())
  const wait = useRef((why: Wait, is: boolean) =>
    setAll((before) => {
      if (before.has(why) === is) return before
      const after = new Set(before)
      if (is) after.add(why)
      else after.delete(why)
      return after
    }),
  ).current
  useEffect(() => {
    const { current } = stage
    const over = new AbortController()
    const { signal } = over
    const types = ({ type, target }: Event) =>
      wait('typing', type === 'focusin' && (target as HTMLElement).matches('input, textarea'))
    current?.addEventListener('focusin', types, { signal })
    current?.addEventListener('focusout', types, { signal })
    document.addEventListener('visibilitychange', () => wait('elsewhere', document.hidden), { signal })
    return () => over.abort()
  }, [stage, wait])
  return { size: all.size, wait }
}
