import { useFetcher } from '@remix-run/react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { errorIn } from '../../forms/reply.ts'
import { useOwner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { CardTitle } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { useLocate } from '../../ui/location/use-locate.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { underWay } from '../../ui/under-way.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { folded } from './folded.tsx'
import { LocationSheet as Whole } from './location-sheet.tsx'
import type { DiscoverReply } from './reply.ts'
import './location-form.css'

const LocationSheet = folded({
  drawn: import.meta.env.SSR && Whole,
  load: async () => (await import('./location-sheet.tsx')).LocationSheet,
  panel: 'stack location-sheet',
})

/** The sheet has the same bound, so that it is folded from the first picture on. */
const SHORT = '(max-height: 699.98px)'

type LocationFormProps = { plain: DiscoverReply | undefined; open: boolean }

/**
 * Asks where the member is, with the reason: the browser's position, or a town. One line above a deck, and unfolded a sheet
 * over it; `open`, where no deck is, all of it from the first, unless script finds the window short. `plain`: what a plain form came to.
 */
export function LocationForm({ plain, open }: LocationFormProps) {
  const fetcher = useFetcher<DiscoverReply>()
  const hydrated = useHydrated()
  const owner = useOwner()
  const [unfolded, setUnfolded] = useState(open || plain !== undefined)
  const [isFirst, setIsFirst] = useState(open && plain === undefined)
  useBrowserLayoutEffect(() => {
    if (isFirst && matchMedia(SHORT).matches) setUnfolded(false)
    setIsFirst(false)
  }, [])
  const { locate, locating, failed, cancel } = useLocate((fields) =>
    fetcher.submit({ ...owner, live: 'yes', ...fields }, { method: 'post' }),
  )
  const reply = fetcher.data ?? plain
  const error = failed ?? (reply?.fields.town ? null : errorIn(reply))
  const wrong = error ?? reply?.fields.town
  const whole = useRef<HTMLDetailsElement>(null)
  // Ahead of the field, which takes the focus then.
  useBrowserLayoutEffect(() => {
    if (whole.current && wrong) whole.current.open = true
  }, [wrong, reply])
  const sending = underWay(fetcher)
  const busy = locating || Boolean(sending?.has('lat'))
  return (
    <section className={classes('location', open && 'location-alone')} aria-labelledby="location-title">
      <details
        ref={whole}
        className={classes('card location-form', isFirst && 'location-first')}
        open={unfolded}
        onToggle={(event) => setUnfolded(event.currentTarget.open)}
        onKeyDown={open ? undefined : foldOnEscape}
      >
        <summary>
          <CardTitle id="location-title" icon="map-pin">
            Where are you, roughly?
          </CardTitle>
          <Icon name="chevron-down" />
        </summary>
        <LocationSheet
          fetcher={fetcher}
          reply={reply}
          error={error}
          isMild={failed !== null}
          isRefused={plain?.fields.town !== undefined}
          onSend={cancel}
        />
      </details>
      {hydrated ? (
        <Button type="button" tone="primary" icon="locate-fixed" busy={busy} onClick={() => busy || locate()}>
          <span className="location-button">Use my location</span>
        </Button>
      ) : null}
    </section>
  )
}

function foldOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape' || !currentTarget.open) return
  currentTarget.open = false
  currentTarget.querySelector('summary')?.focus()
}
