import { useSearchParams } from '@remix-run/react'
import { NEWEST } from '../../request/newest.ts'
import { ListEnd } from '../../ui/anchored/list-end.tsx'
import type { End } from '../../ui/anchored/near-end.tsx'
import { roomPath } from '../../ui/room-path.ts'

type MoreMessagesProps = {
  more: End
  label: string
  other: string
  /** The cursor of the page before, for the link without script. */
  before?: string | null
  loading?: boolean
  failed?: boolean
}

/** An end of the messages in the page. */
export function MoreMessages({ other, before, failed, ...end }: MoreMessagesProps) {
  const [search] = useSearchParams()
  return (
    <ListEnd
      {...end}
      to={before && `${roomPath(other, search, ['before', before])}#${NEWEST}`}
      failed={failed ? 'Earlier messages cannot be reached.' : null}
    />
  )
}
