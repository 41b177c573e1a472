import { type RefObject, useRef } from 'react'
import { useBrowserLayoutEffect } from '../use-browser-layout-effect.ts'

/**
 * Once the slots are drawn anew, the focus goes to a button of the one that is named, or to the file field `id`, or to the
 * list: what had it has moved or is gone.
 */
export function useSlotFocus(whole: RefObject<HTMLElement>, id: string) {
  const wanted = useRef<{ key: string | null; act: string } | null>(null)
  useBrowserLayoutEffect(() => {
    const { current } = wanted
    if (!current) return
    wanted.current = null
    const slots = [...(whole.current?.querySelectorAll<HTMLElement>('[data-slot]') ?? [])]
    const slot = slots.find((one) => one.dataset.slot === current.key)
    const button = slot?.querySelector<HTMLElement>(`[data-act=${current.act}]`)
    const instead = document.getElementById(id) ?? whole.current?.querySelector<HTMLElement>('.slots')
    const target = button ?? instead
    target?.focus()
  })
  return (key: string | null, act: string) => {
    wanted.current = { key, act }
  }
}
