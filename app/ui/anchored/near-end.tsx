import { type RefObject, useEffect, useRef } from 'react'

/** Scrolled this close to its end, a list shows more. */
const NEAR = '600px 0px'

/** An end of what a list shows, and what shows more there: `turn` changes with what it shows. */
export type End = { box: RefObject<HTMLElement>; turn: string; show: () => void }

/** Shows more each time that this comes near. */
export function NearEnd({ box, turn, show }: End) {
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef(show)
  latest.current = show
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn has an end of its own
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting && latest.current(), {
      root: box.current,
      rootMargin: NEAR,
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [box, turn])
  return <span ref={place} />
}
