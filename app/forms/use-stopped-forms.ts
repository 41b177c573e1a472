import { useEffect } from 'react'
import { FORM_TEXT_BYTES, lengthOf, tidy } from '../../domain/shared/text.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { TOO_LONG_WORDS } from '../words/too-long.ts'

/** An address takes less than a form: servers read a request's first lines up to 16 KiB, cookies included. */
const ADDRESS_BYTES = 8 * 1024

/** As a browser encodes it; files do not count. */
export function encodedLength(form: HTMLFormElement): number {
  const typed = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : ''])
  return new URLSearchParams(typed).toString().length
}

/** Too long to be sent at all: whatever its server is, the page with what was typed would be lost. */
export const isTooLong = (form: HTMLFormElement): boolean =>
  encodedLength(form) > (form.method === 'get' ? ADDRESS_BYTES : FORM_TEXT_BYTES)

/** Keeps every form of the product that is too long to be sent in the browser. A field that knows its limit says so itself. */
export function useStoppedForms(): void {
  const toast = useToast()
  useEffect(() => {
    const stop = (event: SubmitEvent) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement) || !isTooLong(form)) return
      // It is read out wherever the focus is, also in the field itself.
      toast({ text: TOO_LONG_WORDS, tone: 'alarm' })
      if ([...form.elements].some(isOverItsOwn)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('submit', stop, true)
    return () => document.removeEventListener('submit', stop, true)
  }, [toast])
}

/** `useStoppedLength` says so beside it, and stops the form. */
function isOverItsOwn(control: Element): boolean {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return false
  const { max } = control.dataset
  return max !== undefined && lengthOf(tidy(control.value)) > Number(max)
}
