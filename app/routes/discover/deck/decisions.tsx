import { useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { useOwner } from '../../../shell/owner.tsx'
import type { DiscoverReply } from '../reply.ts'
import type { Decided } from './deck-queue.ts'

type OnReply = (decided: Decided, reply: DiscoverReply) => void

/** Sends the decisions that have no answer, each once and at once, and reports what came of it. */
export function Decisions({ decided, onReply }: { decided: readonly Decided[]; onReply: OnReply }) {
  return decided
    .filter(({ answer }) => answer === null)
    .map((one) => <Decision key={one.number} decided={one} onReply={onReply} />)
}

function Decision({ decided, onReply }: { decided: Decided; onReply: OnReply }) {
  const { submit, data } = useFetcher<DiscoverReply>({ key: `deck-${decided.number}` })
  const isSent = useRef(false)
  const owner = useOwner()
  const latest = useRef({ decided, onReply, owner })
  latest.current = { decided, onReply, owner }
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const { card, side } = latest.current.decided
    const intent = side === 'right' ? 'buzz' : 'skip'
    const fields = {
      ...latest.current.owner,
      intent,
      to: card.id,
      commandId: card.commandId,
      live: 'yes',
      quiet: 'yes',
    }
    submit(fields, { method: 'post', action: '/discover' })
  }, [submit])
  useEffect(() => {
    if (data) latest.current.onReply(latest.current.decided, data)
  }, [data])
  return null
}
