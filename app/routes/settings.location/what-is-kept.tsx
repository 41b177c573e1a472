import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'

/** What is kept of where the member is; times as ISO. */
export type ShownLocation = {
  /** The town that was named, or 'near' the one that is nearest to what was measured; empty far from all. */
  readonly near: string
  readonly isTown: boolean
  /** Distances still come from the location before. */
  readonly isMoving: boolean
  readonly positionUntil: string | null
  readonly cellUntil: string
}

const TIMES = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const until = (time: string) => `until ${TIMES.format(new Date(time))} UTC`

/** Where distances are from, in words, and what is kept for that and until when (decision 0043). */
export function WhatIsKept({ kept }: { kept: ShownLocation | null }) {
  if (!kept)
    return (
      <Card title="Nothing is kept" icon="map-pin">
        <p>LetsBuzz does not know where you are. Until you say, cards show no distances.</p>
      </Card>
    )
  const { near, isTown, isMoving, positionUntil, cellUntil } = kept
  return (
    <Card title="What is kept" icon="map-pin">
      <FactList
        facts={[
          ['Where you are', placeOf(isTown, near)],
          ['Exact position', positionOf(isTown, positionUntil)],
          ['Square of about 1\u00a0km', `Kept ${until(cellUntil)}`],
        ]}
      />
      {isMoving ? <p>Distances follow you here within 12 minutes: nobody is to see when somebody moves.</p> : null}
      <p className="soft">
        Others only see how far apart two such squares are. An exact position is kept encrypted for a day, a square for
        30 days; saying again where you are begins both anew. There is no history of where you were.
      </p>
      <p>
        <LinkButton to="?confirm=forget" preventScrollReset>
          Forget my location
        </LinkButton>
      </p>
    </Card>
  )
}

function placeOf(isTown: boolean, near: string): string {
  const start = `${near.charAt(0).toUpperCase()}${near.slice(1)}`
  if (isTown) return start || 'A town that you named'
  return start ? `${start}, as your browser said` : 'Where your browser said you are'
}

function positionOf(isTown: boolean, positionUntil: string | null): string {
  if (positionUntil) return `Kept ${until(positionUntil)}`
  return isTown ? 'None: you named a town' : 'Forgotten'
}
