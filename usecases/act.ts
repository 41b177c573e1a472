import { randomUUID } from 'node:crypto'
import type { DomainEvent } from '../domain/all-events.ts'
import type { Decider, Decision } from '../domain/shared/decider.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { done, type Outcome, type Refused, refused } from './outcome.ts'
import type { Acting, Ports } from './ports.ts'

/** What the pipeline itself may refuse, beside what a decider does. */
export type PipelineRefusal = 'conflict' | 'reused' | 'slow-down'
export type Rate = Parameters<Ports['limits']['take']>[0]

/** Takes one of the member's from a rate class, or answers how long to wait (api-contract §6.2). */
export const slowDown = (acting: Acting, rate: Rate) => slowDownFor(acting, rate, acting.who.member)

/** The same of several classes in turn. */
export async function slowDownBy(acting: Acting, rates: readonly Rate[]): Promise<Refused<'slow-down'> | null> {
  for (const rate of rates) {
    const wait = await slowDown(acting, rate)
    if (wait) return wait
  }
  return null
}

/** The same of whatever else the class counts: a connection, an address, a session. */
export async function slowDownFor(
  { limits }: Pick<Ports, 'limits'>,
  rate: Rate,
  key: string,
): Promise<Refused<'slow-down'> | null> {
  const taken = await limits.take(rate, key)
  return taken.ok ? null : refused('slow-down', { retryInMs: taken.retryInMs })
}

/** `same`: what makes two sends the same command, where the command contains more than the member entered. */
export type Sending = { commandId: string; same?: unknown }
/** `repeated`: the command was in the log already, and this is its first outcome. */
export type Appended<E> = { readonly events: readonly E[]; readonly position: Position; readonly repeated: boolean }

/** A command of the acting member; one form has one `commandId`, however often it is sent. */
export async function send<C extends { at: Date }, E extends DomainEvent, S, R extends string>(
  { dispatch, requestId, who }: Acting,
  { commandId, same }: Sending,
  decider: Decider<C, E, S, R>,
  command: C,
): Promise<Outcome<Appended<E>, R | 'conflict' | 'reused'>> {
  const source = { commandId, actor: who.member, correlationId: requestId, same, unlessErased: true }
  const outcome = await dispatch(decider, command, source)
  if (!outcome.ok) return outcome
  const { events, position, repeated } = outcome
  return done({ events, position, repeated })
}

/** `protects`: it shuts somebody out or hides something, which done once too often does no harm. */
type Renewing = Sending & { protects?: boolean }

/**
 * As `send`, but a repeat whose effect has been undone since is decided anew: an old form that a person sends again, and
 * what protects. A program's retry of anything else may be late, and must not undo what its sender did since. `holds`: the
 * state shows the effect; when absent, it does once the command changes nothing in it.
 */
export async function sendUntilItHolds<C extends { at: Date }, E extends DomainEvent, S, R extends string>(
  acting: Acting,
  { protects = false, ...sending }: Renewing,
  decider: Decider<C, E, S, R>,
  command: C,
  holds: (state: S) => boolean = (state) => changesNothing(decider.decide(command, state)),
): Promise<Outcome<Appended<E>, R | 'conflict' | 'reused'>> {
  const outcome = await send(acting, sending, decider, command)
  if (!outcome.ok || !outcome.value.repeated || (acting.retries && !protects)) return outcome
  const holdsNow = async () => holds(await acting.loadState(decider, decider.streamId(command)))
  if (await holdsNow()) return outcome
  const again = await send(acting, { ...sending, commandId: randomUUID() }, decider, command)
  // Several repeats at once: another one was faster.
  return again.ok || !(await holdsNow()) ? again : outcome
}

const changesNothing = (decision: Decision<unknown, string>) => decision.ok && decision.events.length === 0
