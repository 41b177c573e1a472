import { useEffect } from 'react'
import { useLive } from '../use-live.tsx'
import { dropQueues, keepQueue, readQueue } from './queue.ts'

/** Keeps the messages on their way over a reload of the tab; to the same member alone. */
export function useKeptQueue(member: string | null): void {
  const outbox = useLive()?.outbox
  useEffect(() => {
    if (!member || !outbox) return
    dropQueues(member)
    outbox.resume(readQueue(member))
    const keep = () => keepQueue(member, outbox.list())
    keep()
    return outbox.subscribe(keep)
  }, [member, outbox])
}
