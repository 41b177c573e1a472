import type { Outgoing } from '../outbox.ts'

/** Read by the offline page too (`public/offline.js`). */
const PREFIX = 'queue:'
/** ruling R15 */
const KEPT_MS = 24 * 60 * 60 * 1_000

const store = (): Storage => window.sessionStorage
/** Whose queue this document kept last. */
let lastMember: string | null = null

/** What this tab has still to send for the member, if it is not too old. */
export function readQueue(member: string): readonly Outgoing[] {
  try {
    const stored: unknown = JSON.parse(store().getItem(PREFIX + member) ?? '[]')
    const since = Date.now() - KEPT_MS
    return Array.isArray(stored) ? stored.filter(({ time }: Outgoing) => Date.parse(time) > since) : []
  } catch {
    return []
  }
}

/** The same of who was signed in when this document last knew. */
export const readLastQueue = (): readonly Outgoing[] => (lastMember === null ? [] : readQueue(lastMember))

/** A tab that keeps nothing sends them all the same while it is open. */
export function keepQueue(member: string, entries: readonly Outgoing[]): void {
  lastMember = member
  const left = entries.filter(({ state }) => state !== 'sent')
  try {
    if (left.length === 0) store().removeItem(PREFIX + member)
    else store().setItem(PREFIX + member, JSON.stringify(left))
  } catch {
    // Without room nothing is kept.
  }
}

/** Of everybody else than the member. */
export function dropQueues(member: string | null): void {
  for (const key of Object.keys(store())) if (key.startsWith(PREFIX) && key !== PREFIX + member) store().removeItem(key)
}
