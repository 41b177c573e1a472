import { useFetcher } from '@remix-run/react'
import { errorIn } from '../../forms/reply.ts'
import { useOwner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { LocationReply } from '../../ui/location/location-reply.ts'
import { TownForm } from '../../ui/location/town-form.tsx'
import { useLocate } from '../../ui/location/use-locate.ts'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'

type ChooseProps = {
  /** Something is kept that this replaces. */
  again: boolean
  /** What a plain form came to. */
  plain: LocationReply | undefined
}

/** A town by its name, or where script runs the browser's position. */
export function ChooseLocation({ again, plain }: ChooseProps) {
  const fetcher = useFetcher<LocationReply>()
  const owner = useOwner()
  const hydrated = useHydrated()
  const { locate, locating, failed, cancel } = useLocate((fields) =>
    fetcher.submit({ ...owner, ...fields }, { method: 'post' }),
  )
  const reply = fetcher.data ?? plain
  const busy = locating || Boolean(underWay(fetcher)?.has('lat'))
  return (
    <Card title={again ? 'Somewhere else' : 'Where are you, roughly?'} icon="locate-fixed">
      <TownForm
        fetcher={fetcher}
        reply={reply}
        error={failed ?? (reply?.fields.town ? null : errorIn(reply))}
        isMild={failed !== null}
        isRefused={plain?.fields.town !== undefined}
        onSend={cancel}
      />
      {hydrated ? (
        <div>
          <Button type="button" icon="locate-fixed" busy={busy} onClick={() => busy || void locate()}>
            Use my location
          </Button>
        </div>
      ) : null}
    </Card>
  )
}
