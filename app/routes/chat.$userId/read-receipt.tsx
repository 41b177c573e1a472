import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'

const SEND_AGAIN_MS = 1_000
const SEND_AT_MOST = 5

type OpenRoom = { room: { roomId: string; readUpTo: string | null }; other: { id: string } }

/** Sends, once for each newest message and only while the page is looked at, that it was read; again if that was refused. */
export function ReadReceipt({ page, newest }: { page: OpenRoom; newest: string | null }) {
  const { submit, state, data } = useFetcher<FormReply>({ key: `read-${page.room.roomId}` })
  const [refusals, setRefusals] = useState(0)
  const sent = useRef('')
  const { readUpTo } = page.room
  useEffect(() => {
    const turn = `${newest} ${refusals}`
    const send = () => {
      if (!newest || newest === readUpTo || sent.current === turn || document.visibilityState !== 'visible') return
      sent.current = turn
      submit({ intent: 'read', id: newest, live: 'yes' }, { method: 'post', action: `/chat/${page.other.id}` })
    }
    send()
    document.addEventListener('visibilitychange', send)
    return () => document.removeEventListener('visibilitychange', send)
  }, [newest, readUpTo, refusals, page.other.id, submit])
  useEffect(() => {
    if (state !== 'idle' || !errorIn(data) || refusals === SEND_AT_MOST) return
    const again = setTimeout(() => setRefusals(refusals + 1), SEND_AGAIN_MS)
    return () => clearTimeout(again)
  }, [state, data, refusals])
  return null
}
