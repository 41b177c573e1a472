import { useSearchParams } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import { NEWEST } from '../../request/return-to.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { roomPath } from '../../ui/room-path.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import './more-messages.css'

/** Scrolled this close to its end, a conversation shows more. */
const NEAR = '600px 0px'

type EarlierProps = {
  other: string
  /** The cursor of the page before, for the link without script; null at the beginning. */
  cursor: string | null
  more: More
  loading: boolean
  failed: boolean
}
/** What lies beyond an end of the page: `turn` changes with what the page shows. */
type More = { box: RefObject<HTMLElement>; turn: string; show: () => void }

/** At the top: earlier messages come by themselves when they are scrolled to, and by a button, which waits for a failed one. */
export function Earlier({ other, cursor, more, loading, failed }: EarlierProps) {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  const place = useShownNear(more)
  return (
    <p className="conversation-more" ref={place}>
      {failed ? <span role="status">Earlier messages cannot be reached.</span> : null}
      {hydrated ? (
        <Button type="button" tone="quiet" busy={loading} onClick={more.show}>
          Earlier messages
        </Button>
      ) : (
        <LinkButton tone="quiet" to={`${roomPath(other, search, ['before', cursor ?? ''])}#${NEWEST}`}>
          Earlier messages
        </LinkButton>
      )}
    </p>
  )
}

/** At the foot of a page that leaves out the newest messages. */
export function Later({ more }: { more: More }) {
  const place = useShownNear(more)
  return (
    <p className="conversation-more" ref={place}>
      <Button type="button" tone="quiet" onClick={more.show}>
        Later messages
      </Button>
    </p>
  )
}

/** Shows more each time that the end of what the page shows comes near. */
function useShownNear({ box, turn, show }: More) {
  const place = useRef<HTMLParagraphElement>(null)
  const latest = useRef(show)
  latest.current = show
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn has an end of its own
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current(), {
      root: box.current,
      rootMargin: NEAR,
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [box, turn])
  return place
}
