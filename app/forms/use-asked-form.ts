import { useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * For a form whose answer is the page at an address: once another page came, it shows what that page was asked for. What was
 * typed while the page was on its way stays. `round` counts these times, as the key of fields that keep a state of their own.
 */
export function useAskedForm(asked: string) {
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  const typedSince = useTypedSince(form)
  const shown = useRef(asked)
  useEffect(() => {
    if (shown.current === asked) return
    shown.current = asked
    if (typedSince.current) return
    form.current?.reset()
    setRound((before) => before + 1)
  }, [asked, typedSince])
  return { form, round }
}

/**
 * Whether a hand changed the form since it was sent, or since the page began to go elsewhere without it. Values do not show
 * it: new defaults change them.
 */
function useTypedSince(form: RefObject<HTMLFormElement>) {
  const typed = useRef(false)
  const { location, formData } = useNavigation()
  useEffect(() => {
    if (location && !formData) typed.current = false
  }, [location, formData])
  useEffect(() => {
    const element = form.current
    const note = (event: Event) => {
      typed.current = event.type === 'input'
    }
    element?.addEventListener('input', note)
    element?.addEventListener('submit', note)
    return () => {
      element?.removeEventListener('input', note)
      element?.removeEventListener('submit', note)
    }
  }, [form])
  return typed
}
