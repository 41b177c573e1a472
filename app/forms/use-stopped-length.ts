import { type RefObject, useEffect, useState } from 'react'
import { lengthOf, tidy } from '../../domain/shared/text.ts'
import { isTooLong } from './use-stopped-forms.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

/**
 * Keeps a form that is too long to be sent in the browser, where nothing of it is lost: what is wrong with the field, null
 * while it fits. A form that can be sent is for the server to judge, with all of its fields at once.
 */
export function useStoppedLength(element: RefObject<Control>, max: number | undefined): string | null {
  const [stopped, setStopped] = useState(false)
  useEffect(() => {
    const control = element.current
    const form = control?.form
    if (!control || !form || max === undefined) return
    control.dataset.max = String(max)
    const isOver = () => lengthOf(tidy(control.value)) > max
    const stop = (event: SubmitEvent) => {
      const over = isTooLong(form) && isOver()
      setStopped(over)
      if (!over) return
      if (!event.defaultPrevented) control.focus()
      event.preventDefault()
      // The router listens further up, and would send it all the same.
      event.stopPropagation()
    }
    const look = () => setStopped((before) => before && isOver())
    form.addEventListener('submit', stop)
    control.addEventListener('input', look)
    return () => {
      form.removeEventListener('submit', stop)
      control.removeEventListener('input', look)
    }
  }, [element, max])
  return stopped && max !== undefined ? `Use at most ${max.toLocaleString('en')} characters.` : null
}
