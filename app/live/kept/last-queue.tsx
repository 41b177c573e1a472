import { useEffect, useState } from 'react'
import type { Outgoing } from '../outbox.ts'
import { QueuedMessages } from '../queued-messages.tsx'
import { readLastQueue } from './queue.ts'

/** What waits to be sent in this tab, on a page that could not even read who is signed in. */
export function LastQueue() {
  const [entries, setEntries] = useState<readonly Outgoing[]>([])
  useEffect(() => setEntries(readLastQueue()), [])
  return <QueuedMessages entries={entries} />
}
