import { randomUUID } from 'node:crypto'
import type { MemberId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import type { KeptAnswer, KeyedRequest } from '../../services/idempotency.ts'
import { done } from '../../usecases/outcome.ts'
import type { RequestContext } from '../request/context.server.ts'
import { type Answer, refusal } from './answer.ts'
import type { Call } from './call.server.ts'
import type { CallerOf } from './caller.server.ts'
import { invalid, refusalResponse } from './refusal.server.ts'

/** Where the read models must be to show what was done (api-contract §6.0). */
export const POSITION_HEADER = 'X-Log-Position'
const KEY = /^[\x21-\x7e]{1,255}$/
const OTHER = refusal(409, 'This Idempotency-Key was used for another request.')
const RUNNING = refusal(409, 'The first request with this Idempotency-Key is still running.', { retryInMs: 1_000 })

/**
 * A write that its sender may repeat: the same key and request get the first answer (api-contract §6.0). null for a
 * request without the header, and for callers who are no member: there the proof or code is used up. A form is
 * read by its handler alone, so that nobody knows whether it is the same again: with a key it is refused.
 */
export function keyedBy(
  call: Call,
  request: Request,
  me: CallerOf[keyof CallerOf],
  sent: string | null,
): Answer<KeyedRequest | null> {
  const key = request.headers.get('Idempotency-Key')
  const member = memberOf(me)
  if (key === null || member === null || call.method === 'GET') return done(null)
  if (sent === null) return invalid({ 'Idempotency-Key': 'A form cannot be sent with a key.' })
  if (!KEY.test(key)) return invalid({ 'Idempotency-Key': 'Use 1 to 255 visible characters.' })
  return done({ member, route: `${call.method} ${call.path}`, key, request: sent })
}

function memberOf(me: CallerOf[keyof CallerOf]): MemberId | null {
  if (me === null || typeof me === 'string') return me
  return 'member' in me ? me.member : null
}

/**
 * Runs the call, or gives the answer that it gave before. What may come out otherwise next time is not kept. Within a day
 * each run with one key is the same command, also where one was interrupted; later the key acts anew.
 */
export async function repeatable(
  context: RequestContext,
  call: Call,
  keyed: KeyedRequest | null,
  run: (commandId: string) => Promise<Response>,
): Promise<Response> {
  if (!keyed) return run(randomUUID())
  const claim = await context.idempotency.claim(keyed)
  if (claim.state === 'other') return refusalResponse(OTHER, call)
  if (claim.state === 'running') return refusalResponse(RUNNING, call)
  if (claim.state === 'answered') return stored(claim.answer)
  const { member, route, key } = keyed
  let settled = false
  try {
    const response = await run(uuidFrom('keyed', member, route, key, claim.since.toISOString()))
    if (isFinal(response.status)) {
      const answer = { status: response.status, body: await response.text(), position: context.written() }
      await context.idempotency.keep(keyed, answer)
      settled = true
      return stored(answer)
    }
    if (response.status < 500) {
      await context.idempotency.release(keyed)
      settled = true
    }
    return response
  } finally {
    if (!settled) await context.idempotency.leave(keyed)
  }
}

const isFinal = (status: number) => status < 400 || status === 400 || status === 404

/** Whoever hears of the write only now has to know too where the read models must be to show it. */
function stored({ status, body, position }: KeptAnswer): Response {
  const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  if (position) headers.set(POSITION_HEADER, position)
  return new Response(body, { status, headers })
}
