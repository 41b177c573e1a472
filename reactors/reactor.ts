import type { EventType, RecordedEvent } from '../domain/all-events.ts'
import type { CommandContext } from '../eventstore/dispatch.ts'

/**
 * Event in, effect out: a mail, a removed file, a follow-up command. It starts from where the log ends when it first runs,
 * and never runs in a rebuild (ARCHITECTURE.md).
 *
 * Each event comes at least once. `context` makes the effect happen once: its command id is the same whenever the same
 * event comes again, so a command sent with it is a repeat, and an outside effect is keyed by it. What throws is tried
 * again later. Fields of an erased member come as `{ erased: true }`.
 */
export type Reactor<Act, T extends EventType = EventType> = {
  /** A plain name; renaming it starts a new reactor from the end of the log. */
  readonly name: string
  readonly on: readonly T[]
  /** It is tried however long it takes: what it is for is never given up. */
  readonly untilDone?: true
  /** It waits for a mail server, which may be silent: it takes no place that others need. */
  readonly mails?: true
  readonly react: (event: RecordedEvent<T>, act: Act, context: CommandContext) => Promise<void>
}

/** A reactor of whatever events, as the runner sees it. */
export type AnyReactor<Act> = {
  readonly name: string
  readonly on: readonly EventType[]
  readonly untilDone?: true
  readonly mails?: true
  readonly react: (event: never, act: Act, context: CommandContext) => Promise<void>
}
