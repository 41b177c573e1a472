import { useFetcher } from '@remix-run/react'
import { TextInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { underWay } from '../../ui/under-way.ts'
import type { DiscoverReply } from './reply.ts'

type LocationSheetProps = {
  reply: DiscoverReply | undefined
  error: string | null
  /** What went wrong is nobody's fault. */
  isMild: boolean
  /** A town was refused without script. */
  isRefused: boolean
  onSend: () => void
}

/** Why the place is asked for, and the town as a field. */
export function LocationSheet({ reply, error, isMild, isRefused, onSend }: LocationSheetProps) {
  const fetcher = useFetcher<DiscoverReply>({ key: 'place' })
  const sending = underWay(fetcher)
  return (
    <div className="stack location-sheet">
      <p className="soft">
        Distances make the deck. Others only see how far apart two squares of about 1 km are, never where you stand, and
        your position is forgotten after a day.
      </p>
      {error && !sending ? (
        <Banner tone={isMild ? 'plain' : 'alarm'} live>
          <p>{error}</p>
        </Banner>
      ) : null}
      <fetcher.Form method="post" className="location-town" onSubmit={onSend}>
        <Owner />
        <input type="hidden" name="intent" value="place" />
        <TextInput
          label="Your town"
          name="town"
          autoComplete="address-level2"
          defaultValue={reply?.values.town?.[0] ?? ''}
          error={reply?.fields.town}
          autoFocus={isRefused}
        />
        <Button busy={sending !== undefined && !sending.has('lat')}>Set</Button>
        {reply?.towns ? <Towns towns={reply.towns} /> : null}
      </fetcher.Form>
    </div>
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
