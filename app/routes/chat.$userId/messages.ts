import type { Outgoing } from '../../live/outbox.ts'
import type { StoredMessage } from './known-messages.ts'

/** A message as the page draws it, wherever it came from. */
export type ShownMessage = {
  readonly id: string
  /** Null until the log has it. */
  readonly number: number | null
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
  number: message.number,
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
      shown.set(id, {
        id,
        number: null,
        from: me,
        text,
        mediaUrl: null,
        time,
        deleted: false,
        state,
        error: error ?? null,
      })
  return [...shown.values()]
}

/** `clock` gives the time on the wall: that of the reader once script runs, UTC before. */
export function layOut(messages: readonly ShownMessage[], clock: (time: string) => string): LaidMessage[] {
  const walls = messages.map(({ time }) => clock(time))
  const days = walls.map((wall) => wall.slice(0, 10))
  return messages.map((message, index) => {
    const [wall, day] = [walls[index]!, days[index]!]
    const last = messages[index + 1]?.from !== message.from || days[index + 1] !== day
    return { ...message, wall, day: days[index - 1] === day ? null : day, last }
  })
}

/** An ISO time as the clock of this device shows it; its zone is left out. */
export function localTime(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

/** 'Today', 'Yesterday', 'Monday 3 March'; `day` and `now` by the same clock. */
export function dayWords(day: string, now: string): string {
  const days = Math.round((Date.parse(now.slice(0, 10)) - Date.parse(day)) / 86_400_000)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}
