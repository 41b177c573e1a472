/** What a command comes to: events to append (none when it was already so), or a refusal. */
export type Accepted<E> = { ok: true; events: readonly E[] }
/** `reason` is lower-kebab; screens turn it into words. `retryInMs`: when the same command may succeed. */
export type Refused<R extends string> = { ok: false; reason: R; retryInMs?: number }
export type Decision<E, R extends string> = Accepted<E> | Refused<R>

/** A command carries all that a decision needs; time, ids and randomness come in with it. */
export type Command = { readonly type: string; readonly at: Date }

/** How a state is kept in a row beside the log, so that a long stream is not folded from its beginning (decision 0025). */
export interface SnapshotForm<S> {
  /** Raised with every change that gives recorded events another state, or that packs a state differently. */
  readonly version: number
  /** The state as JSON. */
  readonly pack: (state: S) => unknown
  /** Throws for what `pack` does not make. */
  readonly unpack: (packed: unknown) => S
}

/**
 * One kind of aggregate, pure. `evolve` is total: any event of the stream, also an erased one, gives a state.
 * The stream of a command is `${category}-${streamId(command)}`.
 */
export interface Decider<C, E, S, R extends string> {
  readonly category: string
  readonly streamId: (command: C) => string
  readonly initial: S
  readonly evolve: (state: S, event: E) => S
  readonly decide: (command: C, state: S) => Decision<E, R>
  /** Types of events that leave every state as it is: they are not decoded to fold the stream. */
  readonly ignores?: readonly string[]
  /** The state is the same when every personal field is erased: nothing is decrypted to fold the stream. */
  readonly impersonal?: true
  /** For streams that grow long; of impersonal deciders only, since no key encrypts what it packs. */
  readonly snapshot?: SnapshotForm<S>
}

export function accept<E>(...events: readonly E[]): Accepted<E> {
  return { ok: true, events }
}

export function refuse<R extends string>(reason: R, retryInMs?: number): Refused<R> {
  return retryInMs === undefined ? { ok: false, reason } : { ok: false, reason, retryInMs }
}
