import { useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import type { Outgoing } from '../outbox.ts'
import { QueuedMessages } from '../queued-messages.tsx'
import { readLastQueue } from './queue.ts'

const ROOM = /^\/chat\/([^/]+)/

/** What waits to be sent in this tab, on a page that could not even read who is signed in; in a room what is for whom it is with. */
export function LastQueue() {
  const [entries, setEntries] = useState<readonly Outgoing[]>([])
  useEffect(() => setEntries(readLastQueue()), [])
  const [, other] = ROOM.exec(useLocation().pathname) ?? []
  const shown = other ? entries.filter(({ to }) => to === other) : entries
  return <QueuedMessages key={other} entries={shown} />
}
