import { useRef, useState } from 'react'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'

/** Whoever is this close to the newest message is reading along. */
const NEAR_PX = 48

/**
 * Keeps a scrolling box at its end while what is in it grows or the box itself shrinks, unless the reader scrolled up and is
 * `away`. `own` is the id of the reader's own latest message: a new one is always shown. `ends` is whether the box ends with
 * the newest message: later ones may be left out of the page. One that is `empty` of messages begins at its top.
 */
export function useStickToEnd(own: string | undefined, empty: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const ends = useRef(true)
  const top = useRef(0)
  const [isAway, setAway] = useState(false)
  const isEmpty = useRef(empty)
  isEmpty.current = empty
  const toEnd = () => {
    if (!box.current || !follows.current || isEmpty.current) return
    box.current.scrollTop = box.current.scrollHeight
    top.current = box.current.scrollTop
  }
  const follow = () => {
    follows.current = true
    setAway(false)
    toEnd()
  }
  useBrowserLayoutEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    const onScroll = () => {
      const isNear = ends.current && outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX
      // The event comes late: what grew since is not the reader scrolling up.
      follows.current = isNear || (follows.current && outer.scrollTop >= top.current)
      top.current = outer.scrollTop
      setAway(!follows.current)
    }
    const grown = new ResizeObserver(toEnd)
    for (const element of [outer, inner]) grown.observe(element)
    outer.addEventListener('scroll', onScroll, { passive: true })
    toEnd()
    return () => {
      grown.disconnect()
      outer.removeEventListener('scroll', onScroll)
    }
  }, [])
  useBrowserLayoutEffect(() => {
    if (own) follow()
  }, [own])
  return { box, content, follows, ends, isAway, follow, toEnd }
}
