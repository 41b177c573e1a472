import { useFetcher } from '@remix-run/react'
import { useEffect } from 'react'
import { errorIn } from '../../forms/reply.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { useMatchMoment } from '../match/match-moment.tsx'
import { underWay } from '../under-way.ts'
import { useHydrated } from '../use-hydrated.ts'
import type { PersonReply } from './person-reply.ts'
import './buzz-form.css'

type BuzzFormProps = {
  to: string
  firstName: string
  likedByMe: boolean
  likedMe: boolean
  commandIds: { buzz: string; other: string }
  /** The text of the button. */
  label: string
}

function stateWords({ firstName, likedByMe, likedMe }: BuzzFormProps): string | null {
  if (likedByMe) return `You buzzed ${firstName}. Waiting for a buzz back.`
  return likedMe ? `${firstName} buzzed you. Buzz back, and it is a match.` : null
}

/** Buzzes, or takes the buzz back; the moment of a match shows over the page, or as a page of its own. */
export function BuzzForm(props: BuzzFormProps) {
  const { to, likedByMe, commandIds, label } = props
  const fetcher = useFetcher<PersonReply>()
  const hydrated = useHydrated()
  const showMatch = useMatchMoment()
  const { data: reply } = fetcher
  const busy = underWay(fetcher) !== undefined
  useEffect(() => {
    if (reply?.done?.matched) showMatch(to)
  }, [reply, showMatch, to])
  const error = errorIn(reply)
  const words = stateWords(props)
  return (
    <fetcher.Form method="post" className="stack stack-s person-buzz">
      <Owner />
      <input type="hidden" name="commandId" value={likedByMe ? commandIds.other : commandIds.buzz} />
      {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
      <p role="status">{words ? <span className="soft">{words}</span> : null}</p>
      {likedByMe ? (
        <Button name="intent" value="withdraw" icon="undo-2" busy={busy}>
          Take back
        </Button>
      ) : (
        <Button name="intent" value="buzz" tone="primary" size="l" icon="buzz" busy={busy}>
          {label}
        </Button>
      )}
      {error ? <Refused error={error} /> : null}
    </fetcher.Form>
  )
}

export function Refused({ error }: { error: string }) {
  return (
    <Banner tone="alarm" live>
      <p>{error}</p>
    </Banner>
  )
}
