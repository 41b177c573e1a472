import { z } from 'zod'

/** A position in the whole log: opaque, and ordered as text the way the log is ordered. */
export const Position = z
  .string()
  .regex(/^[0-9a-z]{13}(-[0-9a-z]{13})?$/)
  .brand<'Position'>()
export type Position = z.infer<typeof Position>

/** Before the first event. */
export const START = '0000000000000' as Position

/** Who did it and why: written beside every event, clear of personal data. */
export type Metadata = {
  /** The command that made it; a repeat of the command finds it here. */
  readonly commandId: string
  /** One member's action across commands, reactors and log lines. */
  readonly correlationId: string
  /** The event or command that caused this one. */
  readonly causationId: string
  /** A member id, `system`, `reactor:<name>` or `admin:<name>`. */
  readonly actor: string
}

/** An event as the log gives it back: its own fields and its position. */
export type Recorded<E> = E & {
  readonly id: string
  readonly stream: string
  /** Counted from 0 within its stream. */
  readonly revision: number
  readonly position: Position
  readonly recordedAt: Date
  readonly meta: Metadata
}
