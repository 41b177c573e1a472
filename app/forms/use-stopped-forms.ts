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

/**
 * Whether the same intent of this form is on its way: its answer would be that of a second try, such as a code that was used.
 * A busy button stops a pointer, but Enter reaches it, and from a field the first button of its intent.
 */
function isOnItsWay(form: HTMLFormElement, by: HTMLElement | null): boolean {
  const intent = by instanceof HTMLButtonElement ? by.value : ''
  return [...form.elements].some(
    (one) =>
      one instanceof HTMLButtonElement && one.ariaDisabled === 'true' && one.type === 'submit' && one.value === intent,
  )
}

/**
 * Keeps in the browser what no form of the product sends: more than a server takes, and the same again before its answer.
 * A field that knows its limit reports it itself.
 */
export function useStoppedForms(): void {
  const toast = useToast()
  useEffect(() => {
    const stop = (event: SubmitEvent) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement)) return
      if (!isOnItsWay(form, event.submitter)) {
        if (!isTooLong(form)) return
        // It is read out wherever the focus is, also in the field itself.
        toast({ text: TOO_LONG_WORDS, tone: 'alarm' })
        if ([...form.elements].some(isOverItsOwn)) return
      }
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('submit', stop, true)
    return () => document.removeEventListener('submit', stop, true)
  }, [toast])
}

/** `useStoppedLength` reports it beside the field, and stops the form. */
function isOverItsOwn(control: Element): boolean {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return false
  const { max } = control.dataset
  return max !== undefined && lengthOf(tidy(control.value)) > Number(max)
}
