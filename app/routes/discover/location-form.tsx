import { useFetcher } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { errorIn } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { CardTitle } from '../../ui/card.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { DiscoverReply } from './reply.ts'
import './location-form.css'

/** spec 1 §9 */
const LOCATION_TIMEOUT_MS = 8_000

type LocationFormProps = { plain: DiscoverReply | undefined; open: boolean }

/**
 * Asks where the member is, with the reason: the browser's position, or a town. One line above a deck, which keeps its room,
 * until it is unfolded; unfolded from the first where nothing else is shown. `plain`: what a plain form came to.
 */
export function LocationForm({ plain, open }: LocationFormProps) {
  const fetcher = useFetcher<DiscoverReply>({ key: 'place' })
  const hydrated = useHydrated()
  const [unfolded, setUnfolded] = useState(open || plain !== undefined)
  const { locate, locating, failed, forget } = useLocate((fields) => fetcher.submit(fields, { method: 'post' }))
  const reply = fetcher.data ?? plain
  const error = failed ?? (reply?.fields.town ? null : errorIn(reply))
  const whole = useRef<HTMLDetailsElement>(null)
  useUnfolding(whole, error, reply)
  const sending = underWay(fetcher)
  const busy = locating || Boolean(sending?.has('lat'))
  return (
    <section className="location" aria-labelledby="location-title">
      <details
        ref={whole}
        className="card location-form"
        open={unfolded}
        onToggle={(event) => setUnfolded(event.currentTarget.open)}
      >
        <summary>
          <CardTitle id="location-title" icon="map-pin">
            Where are you, roughly?
          </CardTitle>
          <Icon name="chevron-down" />
        </summary>
        <div className="stack">
          <p className="soft">
            Distances make the deck. Others only see how far apart two squares of about 1 km are, never where you stand,
            and your position is forgotten after a day.
          </p>
          {error && !sending ? (
            <Banner tone={failed ? 'plain' : 'alarm'} live>
              <p>{error}</p>
            </Banner>
          ) : null}
          <fetcher.Form method="post" className="location-town" onSubmit={forget}>
            <Owner />
            <input type="hidden" name="intent" value="place" />
            <TextInput
              label="Your town"
              name="town"
              autoComplete="address-level2"
              defaultValue={reply?.values.town?.[0] ?? ''}
              error={reply?.fields.town}
              autoFocus={plain?.fields.town !== undefined}
            />
            <Button busy={sending !== undefined && !sending.has('lat')}>Set</Button>
            {reply?.towns ? <Towns towns={reply.towns} /> : null}
          </fetcher.Form>
        </div>
      </details>
      {hydrated ? (
        <Button type="button" tone="primary" icon="locate-fixed" busy={busy} onClick={() => busy || locate()}>
          <span className="location-button">Use my location</span>
        </Button>
      ) : null}
    </section>
  )
}

/** What went wrong is in view, also where the question was folded; a refused town has the focus. */
function useUnfolding(whole: RefObject<HTMLDetailsElement>, error: string | null, reply: DiscoverReply | undefined) {
  useEffect(() => {
    const refused = reply?.fields.town !== undefined
    if (!whole.current || !(error || refused)) return
    whole.current.open = true
    if (refused && !error) whole.current.querySelector<HTMLInputElement>('[name=town]')?.focus()
  }, [whole, error, reply])
}

/** Those that go by the typed name. */
function Towns({ towns }: { towns: NonNullable<DiscoverReply['towns']> }) {
  return (
    <div className="location-choices">
      {towns.map((town) => (
        <button key={town.value} type="submit" name="townId" value={town.value} className="chip">
          {town.name}
        </button>
      ))}
    </div>
  )
}

/** A browser may answer at any time: only the position that is still asked for is sent. */
function useLocate(send: (fields: Record<string, string>) => void) {
  const [locating, setLocating] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const asked = useRef(0)
  useEffect(
    () => () => {
      asked.current++
    },
    [],
  )
  function locate(): void {
    setLocating(true)
    setFailed(null)
    const own = ++asked.current
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (own !== asked.current) return
        setLocating(false)
        send({ intent: 'place', live: 'yes', lat: String(coords.latitude), lng: String(coords.longitude) })
      },
      (error) => {
        if (own !== asked.current) return
        setLocating(false)
        setFailed(
          error.code === error.PERMISSION_DENIED
            ? 'Your browser keeps your location to itself, which is fine. Type your town instead.'
            : 'Your location could not be found in time. Try again, or type your town.',
        )
      },
      { timeout: LOCATION_TIMEOUT_MS, maximumAge: 60_000 },
    )
  }
  /** A town is given instead. */
  function forget(): void {
    asked.current++
    setLocating(false)
    setFailed(null)
  }
  return { locate, locating, failed, forget }
}
