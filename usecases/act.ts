import type { DomainEvent } from '../domain/all-events.ts'
import type { Decider } from '../domain/shared/decider.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import type { Done } from '../eventstore/dispatch.ts'
import type { Ports } from './ports.ts'

/** What the pipeline itself may refuse, beside what a decider does. */
export type PipelineRefusal = 'conflict' | 'reused' | 'slow-down'
export type Refusal<R extends string> = { readonly ok: false; readonly reason: R; readonly retryInMs?: number }

/** What an action needs of a request; a socket and a tool bring the same. */
export type Acting = Pick<Ports, 'dispatch' | 'limits' | 'read' | 'now' | 'requestId'>
export type Rate = Parameters<Ports['limits']['take']>[0]

/** Takes one from a rate class, or says how long to wait (api-contract §6.2). */
export async function slowDown(context: Acting, rate: Rate, key: string): Promise<Refusal<'slow-down'> | null> {
  const taken = await context.limits.take(rate, key)
  return taken.ok ? null : { ok: false, reason: 'slow-down', retryInMs: taken.retryInMs }
}

/** `same`: what makes two sends the same command, where the command holds more than the member said. */
export type Sending = { me: MemberId; commandId: string; same?: unknown }

/** A command of this request's member; one form has one `commandId`, however often it is sent. */
export function send<C extends { at: Date }, E extends DomainEvent, S, R extends string>(
  context: Acting,
  { me, commandId, same }: Sending,
  decider: Decider<C, E, S, R>,
  command: C,
): Promise<Done<E> | Refusal<R | 'conflict' | 'reused'>> {
  return context.dispatch(decider, command, { commandId, actor: me, correlationId: context.requestId, same })
}
