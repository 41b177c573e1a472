import type { useFetcher } from '@remix-run/react'
import { TextInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { underWay } from '../under-way.ts'
import type { LocationReply } from './location-reply.ts'
import './town-form.css'

export type TownFormProps = {
  /** By which a position is sent, too. */
  fetcher: ReturnType<typeof useFetcher<LocationReply>>
  reply: LocationReply | undefined
  error: string | null
  /** What went wrong is nobody's fault. */
  isMild: boolean
  /** A town was refused without script. */
  isRefused: boolean
  onSend: () => void
}

/** A town as a field, what went wrong above it, and below it the towns that go by the typed name. */
export function TownForm({ fetcher, reply, error, isMild, isRefused, onSend }: TownFormProps) {
  const sending = underWay(fetcher)
  return (
    <>
      {error && !sending ? (
        <Banner tone={isMild ? 'plain' : 'alarm'} live>
          <p>{error}</p>
        </Banner>
      ) : null}
      <fetcher.Form method="post" className="town-form" noValidate onSubmit={onSend}>
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
    </>
  )
}

function Towns({ towns }: { towns: NonNullable<LocationReply['towns']> }) {
  return (
    <div className="town-choices">
      {towns.map((town) => (
        <button key={town.value} type="submit" name="townId" value={town.value} className="chip">
          {town.name}
        </button>
      ))}
    </div>
  )
}
