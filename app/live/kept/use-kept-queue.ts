import { useEffect } from 'react'
import { useLive } from '../use-live.tsx'
import { dropQueues, keepQueue, readQueue } from './queue.ts'

/** Keeps the messages on their way over a reload of the tab; to the same member alone, whoever is signed in by then. */
export function useKeptQueue(): void {
  const live = useLive()
  useEffect(() => {
    if (!live) return
    const { member, outbox } = live
    dropQueues(member)
    outbox.resume(readQueue(member))
    const keep = () => keepQueue(member, outbox.list())
    keep()
    return outbox.subscribe(keep)
  }, [live])
}
