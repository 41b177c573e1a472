import { useSearchParams } from '@remix-run/react'
import { NEWEST } from '../../request/newest.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { roomPath } from '../../ui/room-path.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { End } from './near-end.tsx'
import './more-messages.css'

const NearEnd = onDemand(async () => (await import('./near-end.tsx')).NearEnd)

type MoreMessagesProps = {
  more: End
  label: string
  other: string
  /** The cursor of the page before, for the link without script. */
  before?: string | null
  loading?: boolean
  failed?: boolean
}

/** More come by themselves when they are scrolled to, and by a button, which waits for those that could not be read. */
export function MoreMessages({ more, label, other, before, loading = false, failed }: MoreMessagesProps) {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  return (
    <p className="conversation-more">
      <NearEnd {...more} />
      {failed ? <span role="status">Earlier messages cannot be reached.</span> : null}
      {before && !hydrated ? (
        <LinkButton tone="quiet" to={`${roomPath(other, search, ['before', before])}#${NEWEST}`}>
          {label}
        </LinkButton>
      ) : (
        <Button type="button" tone="quiet" busy={loading} onClick={more.show}>
          {label}
        </Button>
      )}
    </p>
  )
}
