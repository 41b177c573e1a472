import { useRef } from 'react'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'

/** Whoever is this close to the newest message is reading along. */
const NEAR_PX = 48

/**
 * Keeps a scrolling box at its end while what is in it grows or the box itself shrinks, unless the reader scrolled up; what
 * comes above then leaves the messages where they are on the screen.
 * `own` is the id of the reader's own latest message: a new one is always shown. `above` changes with what may come above.
 */
export function useStickToEnd(own: string | undefined, above: unknown) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const top = useRef(0)
  const first = useRef<{ readonly element: HTMLElement; readonly top: number }>()
  const toEnd = () => {
    if (!box.current || !follows.current) return
    box.current.scrollTop = box.current.scrollHeight
    top.current = box.current.scrollTop
  }
  useBrowserLayoutEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    const onScroll = () => {
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX
      // The event comes late: what grew since is not the reader scrolling up.
      follows.current = isNear || (follows.current && outer.scrollTop >= top.current)
      top.current = outer.scrollTop
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
    const before = first.current
    first.current = undefined
    // To measure would lay out the page in the middle of an update; who reads along needs no place kept.
    if (!box.current || follows.current) return
    const element = content.current?.querySelector<HTMLElement>('.message')
    if (before?.element.isConnected && before.element !== element)
      box.current.scrollTop += before.element.offsetTop - before.top
    if (element) first.current = { element, top: element.offsetTop }
  }, [above])
  useBrowserLayoutEffect(() => {
    if (!own) return
    follows.current = true
    toEnd()
  }, [own])
  return { box, content }
}
