import { useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * For a form whose answer is the page at an address: once another page came, it shows what that page was asked for. What was
 * typed while the page was on its way stays. `round` counts these times, as the key of fields that keep a state of their own.
 */
export function useAskedForm(asked: string) {
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  const { location } = useNavigation()
  const typedSince = useTypedSince(form, location)
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

/** Whether a hand changed the form since the last navigation began. Values do not show it: new defaults change them. */
function useTypedSince(form: RefObject<HTMLFormElement>, location: object | undefined) {
  const typed = useRef(false)
  useEffect(() => {
    if (location) typed.current = false
  }, [location])
  useEffect(() => {
    const element = form.current
    const note = () => {
      typed.current = true
    }
    element?.addEventListener('input', note)
    return () => element?.removeEventListener('input', note)
  }, [form])
  return typed
}
