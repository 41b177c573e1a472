import { useFetcher } from '@remix-run/react'
import { useState } from 'react'
import { errorIn } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
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
  const unfold = () => setUnfolded(true)
  const { locate, locating, failed } = useLocate((fields) => fetcher.submit(fields, { method: 'post' }), unfold)
  const reply = fetcher.data ?? plain
  return (
    <section className="location" aria-labelledby="location-title">
      <details
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
          {failed ? <Banner live>{failed}</Banner> : null}
          <fetcher.Form method="post" className="location-town">
            <input type="hidden" name="intent" value="place" />
            <TextInput
              label="Your town"
              name="town"
              autoComplete="address-level2"
              defaultValue={reply?.values.town?.[0] ?? ''}
              error={errorIn(reply) ?? undefined}
            />
            <Button busy={underWay(fetcher) !== undefined}>Set</Button>
            {reply?.towns ? <Towns towns={reply.towns} /> : null}
          </fetcher.Form>
        </div>
      </details>
      {hydrated ? (
        <Button type="button" tone="primary" icon="locate-fixed" busy={locating} onClick={locate}>
          <span className="location-button">Use my location</span>
        </Button>
      ) : null}
    </section>
  )
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

function useLocate(send: (fields: Record<string, string>) => void, onFailed: () => void) {
  const [locating, setLocating] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  function locate(): void {
    setLocating(true)
    setFailed(null)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false)
        send({ intent: 'place', live: 'yes', lat: String(coords.latitude), lng: String(coords.longitude) })
      },
      (error) => {
        setLocating(false)
        onFailed()
        setFailed(
          error.code === error.PERMISSION_DENIED
            ? 'Your browser keeps your location to itself, which is fine. Type your town instead.'
            : 'Your location could not be found in time. Try again, or type your town.',
        )
      },
      { timeout: LOCATION_TIMEOUT_MS, maximumAge: 60_000 },
    )
  }
  return { locate, locating, failed }
}
