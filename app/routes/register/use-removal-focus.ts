import { type MutableRefObject, type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'

/**
 * Once a photo is gone, with the button that had the focus, that goes to the button of the one in its place, or to what adds
 * more. Answers where to note which one is being removed.
 */
export function useRemovalFocus(whole: RefObject<HTMLElement>, count: number): MutableRefObject<number | null> {
  const removed = useRef<number | null>(null)
  const before = useRef(count)
  useEffect(() => {
    const isGone = count < before.current
    before.current = count
    const at = removed.current
    if (!isGone || at === null) return
    removed.current = null
    if (!isFocusLost()) return
    const next = whole.current?.querySelectorAll<HTMLElement>('[name=remove]')[at]
    ;(next ?? whole.current?.querySelector<HTMLElement>('#files'))?.focus()
  }, [whole, count])
  return removed
}

/** A photo that was moved keeps the focus: on the button that moved it, or on its choice once it stands first. */
export function useMoveFocus(
  whole: RefObject<HTMLElement>,
  media: readonly { id: string }[],
): MutableRefObject<string | null> {
  const moved = useRef<string | null>(null)
  const order = media.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what a move changes
  useEffect(() => {
    const id = moved.current
    moved.current = null
    if (!id || !isFocusLost()) return
    const next = whole.current?.querySelector<HTMLElement>(`[name=forward][value="${id}"]`)
    ;(next ?? whole.current?.querySelector<HTMLElement>(`[name=remove][value="${id}"]`))?.focus()
  }, [whole, order])
  return moved
}
