import { useEffect, useRef } from 'react'
import { type StepName, stepNumber } from '../../../domain/identity/sign-up-steps.ts'

const KEEP_AFTER_MS = 400
/** Passwords wait for their form: what is kept of them is made of both. */
const NOT_KEPT: readonly string[] = ['password', 'confirm', 'go']

/** Sends what was typed so far a moment after the last key, and when the page goes, so that a reload brings it back. */
export function useKeptDraft(step: StepName) {
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const form = ref.current
    if (!form) return
    let waiting: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (waiting === undefined) return
      clearTimeout(waiting)
      waiting = undefined
      navigator.sendBeacon(`/register/draft?step=${stepNumber(step)}`, typedIn(form))
    }
    const onInput = () => {
      clearTimeout(waiting)
      waiting = setTimeout(keep, KEEP_AFTER_MS)
    }
    form.addEventListener('input', onInput)
    window.addEventListener('pagehide', keep)
    return () => {
      keep()
      form.removeEventListener('input', onInput)
      window.removeEventListener('pagehide', keep)
    }
  }, [step])
  return ref
}

function typedIn(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && !NOT_KEPT.includes(name)) fields.append(name, value)
  }
  return fields
}
