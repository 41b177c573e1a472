import type { Outgoing } from './outbox.ts'
import './queued-messages.css'

/** What a member wrote and the log may not have yet, on a page that cannot show its room. */
export function QueuedMessages({ entries }: { entries: readonly Outgoing[] }) {
  const kept = entries.filter(({ state }) => state !== 'sent')
  if (kept.length === 0) return null
  const isRefused = kept.some(({ state }) => state === 'failed')
  return (
    <section className="stack stack-s" aria-label="Your messages">
      <p role="status">
        {isRefused
          ? 'What you wrote is kept here. Some of it could not be sent.'
          : 'What you wrote is kept here, and will be sent.'}
      </p>
      <ul className="queued-messages">
        {kept.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </section>
  )
}
