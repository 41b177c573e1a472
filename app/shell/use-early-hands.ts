import { useEffect } from 'react'

/** Radio buttons and files are kept by the browser alone. */
const CONTROLS = 'input:not([type=radio],[type=file]),textarea'

/**
 * What a hand did before the script ran no control of React knows of: those that it keeps would go back to what the server
 * brought. It is done once more, before any other hand can do something.
 */
export function useEarlyHands(): void {
  useEffect(() => {
    const all = [...document.querySelectorAll<HTMLInputElement>(CONTROLS)]
    const changed = all.filter((one) => one.checked !== one.defaultChecked || one.value !== one.defaultValue)
    // What was taken away first: it makes room among chips for what was added.
    for (const control of changed.sort((one, other) => +one.checked - +other.checked)) {
      const { checked, value, selectionStart, selectionEnd } = control
      queueMicrotask(() => {
        // Otherwise first, so that React, which notes what a script writes, takes it for a change.
        if (control.type === 'checkbox') {
          control.checked = !checked
          control.click()
        } else {
          control.value = ''
          // By the element's own setter, of which React notes nothing.
          Reflect.set(Object.getPrototypeOf(control), 'value', value, control)
          // Who types goes on where they are; numbers have no such place.
          if (selectionStart !== null && document.activeElement === control)
            control.setSelectionRange(selectionStart, selectionEnd)
          control.dispatchEvent(new Event('input', { bubbles: true }))
        }
      })
    }
  }, [])
}
