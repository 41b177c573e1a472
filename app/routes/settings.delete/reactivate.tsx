import { Form, useSubmit } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { useStay } from './use-stay.ts'

/** Long enough to read the sentence and to stop it. */
const PAUSE_MS = 4_000

/**
 * With script the account comes back by itself after a moment, by the same POST as the button (ruling R25), unless its owner
 * chose to stay away in this tab.
 */
export function Reactivate({ commandId, failed }: { commandId: string; failed: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const hydrated = useHydrated()
  const { stopped, stop } = useStay()
  useEffect(() => {
    if (stopped || failed) return
    const timer = setTimeout(() => {
      // Whoever is typing their password would rather leave for good.
      if (document.activeElement instanceof HTMLInputElement) stop()
      else if (form.current) submit(form.current.querySelector('button'))
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [stopped, stop, failed, submit])
  const coming = hydrated && !stopped && !failed
  return (
    <Card title="Your account is deactivated" icon="moon-star">
      <p>Nobody sees you until you come back. Everything is as you left it.</p>
      <p role="status">{coming ? 'Bringing your account back in a moment…' : ''}</p>
      <Form method="post" action="/settings/delete" className="row" ref={form}>
        <Owner />
        <input type="hidden" name="commandId" value={commandId} />
        <Button name="intent" value="reactivate" tone="primary">
          Reactivate
        </Button>
        {coming ? (
          <Button type="button" onClick={stop}>
            Stay deactivated
          </Button>
        ) : null}
      </Form>
    </Card>
  )
}
