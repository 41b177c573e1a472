import { useEffect, useRef, useState } from 'react'
import { addArrived, type HistoryPage, type StoredMessage } from './known-messages.ts'

type RoomPage = HistoryPage & { readonly other: { readonly id: string } }

/** Keeps all messages of a room that reached this page: the loader brings the newest, again and again. */
export function useKnownMessages(page: RoomPage, live: readonly StoredMessage[]) {
  const { older, state, read } = useOlderPages(page.other.id)
  const arrived = { page, older, live }
  const [kept, keep] = useState(() => ({ arrived, known: addArrived(page, arrived) }))
  const isNew = kept.arrived.page !== page || kept.arrived.older !== older || kept.arrived.live !== live
  const known = isNew ? addArrived(kept.known, arrived) : kept.known
  if (isNew) keep({ arrived, known })
  const first = known.earlier === null ? undefined : known.messages[0]
  return {
    known,
    loading: state === 'loading',
    failed: state === 'failed',
    loadEarlier: () => first && read(first),
  }
}

/** Reads pages of history beside the page itself, which stays, with what is typed on it, where that fails. */
function useOlderPages(other: string) {
  const [older, setOlder] = useState<HistoryPage>()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const reading = useRef<AbortController>()
  useEffect(() => () => reading.current?.abort(), [])
  async function read(first: StoredMessage): Promise<void> {
    if (reading.current) return
    const asked = new AbortController()
    reading.current = asked
    setState('loading')
    const page = await readBefore(other, first, asked.signal).catch(() => null)
    reading.current = undefined
    if (asked.signal.aborted) return
    if (page) setOlder(page)
    setState(page ? 'idle' : 'failed')
  }
  return { older, state, read }
}

async function readBefore(other: string, { id }: StoredMessage, signal: AbortSignal): Promise<HistoryPage> {
  const answer = await fetch(`/chat/${other}/earlier?before=${id}`, { signal })
  if (!answer.ok) throw new Error(`Earlier messages: ${answer.status}`)
  return (await answer.json()) as HistoryPage
}
