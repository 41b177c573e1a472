import type { MemberId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import type { KeptAnswer, KeyedRequest } from '../../services/idempotency.ts'
import { done } from '../../usecases/outcome.ts'
import type { RequestContext } from '../request/context.server.ts'
import { type Answer, refusal } from './answer.ts'
import type { Asked, Call } from './call.server.ts'
import type { CallerOf } from './caller.server.ts'
import { claimInTime } from './first-answer.server.ts'
import { invalid, refusalResponse } from './refusal.server.ts'

/** A write that its sender may repeat: the same key and request get the first answer (api-contract §6.0). */
export type Keyed = KeyedRequest & { readonly commandId: string }

/** Where the read models must be to show what was done (api-contract §6.0). */
export const POSITION_HEADER = 'X-Log-Position'
/** For programs, what a page shows in words: the answer is older than what its caller knows of. */
export const BEHIND_HEADER = 'X-Log-Behind'
export const KEY_HEADER = 'Idempotency-Key'
/** What a key looks like. */
export const KEY = /^[\x21-\x7e]{1,255}$/
const OTHER = refusal(409, 'This Idempotency-Key was used for another request.')
const RUNNING = refusal(503, 'The first request with this Idempotency-Key is still running.', { retryInMs: 1_000 })
/** What a key may come to. */
export const KEY_REFUSALS = [OTHER, RUNNING]

/** Whether a call is a write that its caller may repeat under a key. */
export const takesKey = ({ method, once, caller, form }: Call): boolean =>
  method !== 'GET' && !once && caller !== 'anyone' && form !== 'multipart'

/**
 * null for a request without the header, and for callers who are no member: there the proof or code is used up. A form is
 * read by its handler alone, so that nobody knows whether it is the same again: with a key it is refused.
 */
export function keyedBy(
  call: Call,
  request: Request,
  me: CallerOf[keyof CallerOf],
  sent: string | null,
): Answer<Keyed | null> {
  const key = request.headers.get(KEY_HEADER)
  const member = memberOf(me)
  if (key === null || member === null || call.method === 'GET' || call.once) return done(null)
  if (sent === null) return invalid({ [KEY_HEADER]: 'A form cannot be sent with a key.' })
  if (!KEY.test(key)) return invalid({ [KEY_HEADER]: 'Use 1 to 255 visible characters.' })
  const route = `${call.method} ${call.path}`
  return done({ member, route, key, request: sent, commandId: uuidFrom('keyed', member, route, key) })
}

function memberOf(me: CallerOf[keyof CallerOf]): MemberId | null {
  if (me === null || typeof me === 'string') return me
  return 'member' in me ? me.member : null
}

/** Runs the call, or gives the answer that it gave before. What may come out otherwise next time is not kept. */
export async function repeatable(
  { context, request }: Pick<Asked, 'context' | 'request'>,
  call: Call,
  keyed: Keyed | null,
  run: () => Promise<Response>,
): Promise<Response> {
  if (!keyed) return run()
  const claim = await claimInTime(context.idempotency, keyed, context.left ?? request.signal)
  if (claim.state === 'other') return refusalResponse(OTHER, call)
  if (claim.state === 'running') return refusalResponse(RUNNING, call)
  if (claim.state === 'answered') return stored(claim.answer)
  let kept = false
  try {
    const response = await run()
    if (isFinal(response.status) && (await mayKeep(context, keyed, response.status))) {
      const { status } = response
      const answer = { status, body: await response.text(), position: await context.positionFor(status) }
      await context.idempotency.keep(claim.claimed, answer)
      kept = true
      return stored(answer)
    }
    return response
  } finally {
    if (!kept) await context.idempotency.release(claim.claimed)
  }
}

/** A row for each refusal would grow without the limits that what is done has: those of writing count it. */
async function mayKeep({ limits }: RequestContext, { member }: Keyed, status: number): Promise<boolean> {
  return status < 400 || (await limits.take('WRITE', member)).ok
}

/** What was not found may be there next time: read models run behind the log. */
const isFinal = (status: number) => status < 400 || status === 400

/** Whoever hears of the write only now has to know too where the read models must be to show it. */
function stored({ status, body, position }: KeptAnswer): Response {
  const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  if (position) headers.set(POSITION_HEADER, position)
  return new Response(body, { status, headers })
}
