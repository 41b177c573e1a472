import { useFetcher } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { addArrived, type HistoryPage, type StoredMessage } from './known-messages.ts'

/** Earlier messages are in the page by then, and no screen reader reads them out as new ones. */
const QUIET_MS = 500

type RoomPage = HistoryPage & { readonly other: { readonly id: string } }

/** Keeps all messages of a room that reached this page: the loader brings the newest, again and again. */
export function useKnownMessages(page: RoomPage, live: readonly StoredMessage[]) {
  const { data: older, load } = useFetcher<HistoryPage>()
  const arrived = { page, older, live }
  const [kept, keep] = useState(() => ({ arrived, known: addArrived(page, arrived) }))
  const isNew = kept.arrived.page !== page || kept.arrived.older !== older || kept.arrived.live !== live
  const known = isNew ? addArrived(kept.known, arrived) : kept.known
  if (isNew) keep({ arrived, known })
  // What the reader asked for, and not the same page again after each receipt.
  const [asked, ask] = useState<HistoryPage | null | undefined>(null)
  const loading = asked !== null && asked === older
  return {
    known,
    loading,
    /** The reader asked for the first message of all, and got it. */
    atStart: older !== undefined && known.earlier === null,
    isQuiet: useLingering(loading),
    loadEarlier: (before: string) => {
      ask(older)
      load(`/chat/${page.other.id}?before=${before}`)
    },
  }
}

/** True while it is, and for a moment after. */
function useLingering(isOn: boolean): boolean {
  const [lingers, setLingers] = useState(false)
  useEffect(() => {
    if (isOn) return setLingers(true)
    const timer = setTimeout(() => setLingers(false), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isOn])
  return isOn || lingers
}
