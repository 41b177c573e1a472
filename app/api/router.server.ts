import { randomUUID } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/node'
import { ProfileGone } from '../../projections/profiles/queries.ts'
import { networkOf } from '../../services/limits/network.ts'
import { done, refused } from '../../usecases/outcome.ts'
import { bearerTokenOf, overAddressLimit } from '../request/address-limit.server.ts'
import { isAway } from '../request/away.server.ts'
import type { RequestContext } from '../request/context.server.ts'
import { AWAY, AWAY_WORDS } from '../words/unavailable.ts'
import { PIPELINE_WORDS, worded } from '../words/words.ts'
import { allCalls } from './all-calls.server.ts'
import type { Answer } from './answer.ts'
import type { Asked, Call, CallAnswer } from './call.server.ts'
import type { Caller, CallerOf } from './caller.server.ts'
import { createMatcher } from './match.server.ts'
import { loginRequired, notFound, refusalResponse } from './refusal.server.ts'
import { keyedBy, repeatable } from './repeat.server.ts'

const match = createMatcher(allCalls)

/**
 * Answers whatever is asked below `/api`. In this order: address limit, path, method, caller, type and form of the body,
 * parameters, query, body, rate class, the call itself (api-contract §6.0).
 */
export async function answerCall(request: Request, context: AppLoadContext): Promise<Response> {
  const found = match(new URL(request.url).pathname.replace(/^\/api/i, ''))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const call = found?.calls.find((one) => one.method === method)
  if (found) context.atCall?.(`/api${found.calls[0]?.path ?? ''}`)
  return safely(request, context, async () => {
    const wait = await overAddressLimit(context, request)
    if (wait !== null) return refusalResponse(tooMany(wait), call)
    if (!found) return refusalResponse(notFound())
    if (call) return answer(call, { request, context, params: found.params })
    const headers = { Allow: methodsOf(found.calls).join(', ') }
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
    return refusalResponse({ ok: false, status: 405, error: 'Method not allowed' }, { headers })
  })
}

const methodsOf = (calls: readonly Call[]) => [
  ...calls.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method])),
  'OPTIONS',
]

async function safely(request: Request, context: AppLoadContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Response) return error
    if (error instanceof ProfileGone && (await isSignedOut(request, context))) return refusalResponse(loginRequired())
    if (error !== request.signal.reason && error !== context.left?.reason) context.reportError(error)
    if (isAway(error)) return refusalResponse({ ok: false, ...AWAY, error: AWAY_WORDS })
    const body = { error: 'Something went wrong.', requestId: context.requestId }
    return Response.json(body, { status: 500, headers: { 'Cache-Control': 'no-store' } })
  }
}

/** Whether the token that it came with is good no more: the account ended while the call ran. */
async function isSignedOut(request: Request, context: RequestContext): Promise<boolean> {
  if (!bearerTokenOf(request)) return false
  context.lookAgain()
  return !(await context.bearer())
}

async function answer(call: Call, asked: Asked): Promise<Response> {
  const { context, request } = asked
  const prepared = await call.prepare(asked)
  if (!prepared.ok) return refusalResponse(prepared, call)
  const { me, text, run } = prepared.value
  const { pathname } = new URL(request.url)
  const keyed = keyedBy(call, request, me, text === null ? null : `${pathname}\n${text}`)
  if (!keyed.ok) return refusalResponse(keyed, call)
  return repeatable(asked, call, keyed.value, async () => {
    const limited = await overRate(call, context, me)
    if (!limited.ok) return refusalResponse(limited, call)
    return respond(call, await run(keyed.value?.commandId ?? randomUUID()))
  })
}

async function overRate(call: Call, context: RequestContext, me: CallerOf[Caller]): Promise<Answer<null>> {
  if (!call.rate) return done(null)
  const taken = await context.limits.take(call.rate, keyOf(me) ?? networkOf(context.ip))
  return taken.ok ? done(null) : tooMany(taken.retryInMs)
}

const tooMany = (retryInMs: number) => worded(PIPELINE_WORDS, refused('slow-down', { retryInMs }))

function keyOf(me: CallerOf[Caller]): string | null {
  if (me === null || typeof me === 'string') return me
  return 'member' in me ? me.member : me.proof
}

/** Only what the call's answer names leaves the server (security T14). */
function respond(call: Call, outcome: CallAnswer<unknown>): Response {
  if (!outcome.ok) return refusalResponse(outcome, call)
  const headers = new Headers('headers' in outcome ? outcome.headers : {})
  headers.set('Cache-Control', 'no-store')
  return Response.json(call.answer.parse(outcome.value), { headers })
}
