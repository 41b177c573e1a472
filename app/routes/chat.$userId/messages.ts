import type { Outgoing } from '../../live/outbox.ts'
import type { StoredMessage } from './known-messages.ts'

/** A message as the page draws it, wherever it came from. */
export type ShownMessage = {
  readonly id: string
  readonly from: string
  readonly text: string
  readonly mediaUrl: string | null
  readonly time: string
  readonly deleted: boolean
  readonly state: 'stored' | Outgoing['state']
  readonly error: string | null
}
/**
 * `wall` is its time by the clock of the page; `day` starts a new day; `last` is the last of a run by one author: its
 * bubble has the tail.
 */
export type LaidMessage = ShownMessage & { readonly wall: string; readonly day: string | null; readonly last: boolean }

const stored = (message: StoredMessage): ShownMessage => ({
  id: message.id,
  from: message.from,
  text: message.text,
  mediaUrl: message.media?.url ?? null,
  time: message.time,
  deleted: message.deleted === true,
  state: 'stored',
  error: null,
})

/** What the log has, and after it what is on its way: each message once. */
export function collectMessages(
  me: string,
  messages: readonly StoredMessage[],
  outgoing: readonly Outgoing[],
): ShownMessage[] {
  const shown = new Map(messages.map((message) => [message.id, stored(message)]))
  for (const { id, text, time, state, error } of outgoing)
    if (!shown.has(id))
      shown.set(id, { id, from: me, text, mediaUrl: null, time, deleted: false, state, error: error ?? null })
  return [...shown.values()]
}

/** `clock` gives the time on the wall: that of the reader once script runs, UTC before. */
export function layOut(messages: readonly ShownMessage[], clock: (time: string) => string): LaidMessage[] {
  return messages.map((message, index) => {
    const [previous, next] = [messages[index - 1], messages[index + 1]]
    const wall = clock(message.time)
    const day = dayOf(wall)
    const sameDay = (other: ShownMessage | undefined) => other !== undefined && dayOf(clock(other.time)) === day
    const last = next?.from !== message.from || !sameDay(next)
    return { ...message, wall, day: sameDay(previous) ? null : day, last }
  })
}

const dayOf = (time: string) => time.slice(0, 10)

/** An ISO time as the clock of this device shows it; its zone is left out. */
export function localTime(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

/** 'Today', 'Yesterday', 'Monday, 3 March'; `day` and `now` by the same clock. */
export function dayWords(day: string, now: string): string {
  const days = Math.round((Date.parse(now.slice(0, 10)) - Date.parse(day)) / 86_400_000)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}
