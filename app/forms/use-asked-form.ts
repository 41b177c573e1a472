import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'

/**
 * For a form whose answer is the page at an address: once another page came, it shows what that page was asked for. What was
 * typed while the page was on its way stays. `round` counts these times, as the key of fields that keep a state of their own.
 */
export function useAskedForm(asked: string) {
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  const { location } = useNavigation()
  const atStart = useRef<string | null>(null)
  const shown = useRef(asked)
  useEffect(() => {
    if (location) atStart.current = typedIn(form.current)
  }, [location])
  useEffect(() => {
    if (shown.current === asked) return
    shown.current = asked
    if (typedIn(form.current) !== atStart.current) return
    form.current?.reset()
    setRound((before) => before + 1)
  }, [asked])
  return { form, round }
}

/** No file is among it. */
function typedIn(form: HTMLFormElement | null): string | null {
  return form && JSON.stringify([...new FormData(form)])
}
