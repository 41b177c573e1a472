import { useRef } from 'react'
import type { Outgoing } from './outbox.ts'
import './queued-messages.css'

/**
 * What a member wrote, on a page that cannot show its room: what the log may not have yet, and what was sent while the page
 * shows it, which is on no other.
 */
export function QueuedMessages({ entries }: { entries: readonly Outgoing[] }) {
  const all = useSeen(entries)
  if (all.length === 0) return null
  return (
    <section className="stack stack-s" aria-label="Your messages">
      <p role="status">{becomes(all)}</p>
      <ul className="queued-messages">
        {all.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </section>
  )
}

function becomes(all: readonly Outgoing[]): string {
  if (all.some(({ state }) => state === 'failed')) return 'What you wrote is kept here. Some of it could not be sent.'
  if (all.some(({ state }) => state === 'sending')) return 'What you wrote is kept here, and will be sent.'
  return 'What you wrote has been sent.'
}

/** With those that have left the outbox since, because they are stored. */
function useSeen(entries: readonly Outgoing[]): readonly Outgoing[] {
  const seen = useRef(new Map<string, Outgoing>()).current
  for (const [id, entry] of seen) seen.set(id, { ...entry, state: 'sent' })
  for (const entry of entries) seen.set(entry.id, entry)
  return [...seen.values()]
}
