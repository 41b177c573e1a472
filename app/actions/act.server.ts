import type { MemberId } from '../../domain/shared/ids.ts'
import type { CommandContext } from '../../eventstore/dispatch.ts'
import type { RequestContext } from '../lib/context.server.ts'

/** What the pipeline itself may refuse, beside what a decider does. */
export type PipelineRefusal = 'conflict' | 'reused' | 'slow-down'
export type Refusal<R extends string> = { readonly ok: false; readonly reason: R; readonly retryInMs?: number }

/** A command of this request's member; one form, one `commandId`, however often it is sent. */
export function act(context: RequestContext, me: MemberId, commandId: string): CommandContext {
  return { commandId, actor: me, correlationId: context.requestId }
}

/** Takes one from a rate class, or says how long to wait (api-contract §6.2). */
export async function slowDown(
  context: RequestContext,
  rate: Parameters<RequestContext['limits']['take']>[0],
  key: string,
): Promise<Refusal<'slow-down'> | null> {
  const taken = await context.limits.take(rate, key)
  return taken.ok ? null : { ok: false, reason: 'slow-down', retryInMs: taken.retryInMs }
}
