import type { Message } from '../../../projections/conversations/queries.ts'
import type { DirectMessage } from '../../../realtime/protocol.ts'
import type { Outgoing } from '../../live/outbox.ts'

/** A message as the page draws it, wherever it came from. */
export type Line = {
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
export type LaidLine = Line & { readonly wall: string; readonly day: string | null; readonly last: boolean }

const stored = (
  message: Pick<Message, 'id' | 'from' | 'text' | 'time'> & { media?: { url: string }; deleted?: true },
): Line => ({
  id: message.id,
  from: message.from,
  text: message.text,
  mediaUrl: message.media?.url ?? null,
  time: message.time,
  deleted: message.deleted ?? false,
  state: 'stored',
  error: null,
})

/** History, what came live since, and what is on its way: each message once, in order. */
export function toLines(
  me: string,
  history: readonly Message[],
  live: readonly DirectMessage[],
  outgoing: readonly Outgoing[],
): Line[] {
  const lines = new Map<string, Line>()
  for (const message of history) lines.set(message.id, stored(message))
  for (const message of live) if (!lines.has(message.id)) lines.set(message.id, stored(message as never))
  for (const { id, text, time, state, error } of outgoing)
    if (!lines.has(id))
      lines.set(id, { id, from: me, text, mediaUrl: null, time, deleted: false, state, error: error ?? null })
  return [...lines.values()]
}

/** `clock` says which time it is on the wall: that of the reader once script runs, UTC before. */
export function layLines(lines: readonly Line[], clock: (time: string) => string): LaidLine[] {
  return lines.map((line, index) => {
    const [previous, next] = [lines[index - 1], lines[index + 1]]
    const wall = clock(line.time)
    const day = dayOf(wall)
    const sameDay = (other: Line | undefined) => other !== undefined && dayOf(clock(other.time)) === day
    const last = next?.from !== line.from || !sameDay(next)
    return { ...line, wall, day: sameDay(previous) ? null : day, last }
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
