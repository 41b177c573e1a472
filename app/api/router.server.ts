import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import { networkOf } from '../../services/limits/network.ts'
import { type Answer, done, tooMany } from '../../usecases/answer.ts'
import { overAddressLimit } from '../request/address-limit.server.ts'
import { isAway } from '../request/away.server.ts'
import { AWAY, AWAY_WORDS } from '../words/unavailable.ts'
import type { Call, CallAnswer, CallerOf } from './call.server.ts'
import { findCaller } from './caller.server.ts'
import { checkInput, readBody, type SentBody, sendsForm } from './input.server.ts'
import { refusalResponse } from './refusal.server.ts'
import { keyedBy, repeatable } from './repeat.server.ts'

type Args = LoaderFunctionArgs
type Given = { me: CallerOf[keyof CallerOf]; sent: SentBody | null }

/**
 * Loader and action of one path under `/api`. In this order: method, address limit, caller, type and form of the body,
 * path, query, body, rate class, the call itself (api-contract §6.0).
 */
export function apiRoute(...calls: readonly [Call, ...Call[]]) {
  const allowed = calls.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  return async (args: Args): Promise<Response> => {
    const { method } = args.request
    const call = calls.find((one) => one.method === (method === 'HEAD' ? 'GET' : method))
    if (call) return safely(args.context, () => answer(call, args))
    return refusalResponse({ ok: false, status: 405, error: 'Method not allowed' }, { headers: { Allow: allowed } })
  }
}

async function safely(context: AppLoadContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    context.reportError(error)
    if (isAway(error)) return refusalResponse({ ok: false, ...AWAY, error: AWAY_WORDS })
    const body = { error: 'Something went wrong.', requestId: context.requestId }
    return Response.json(body, { status: 500, headers: { 'Cache-Control': 'no-store' } })
  }
}

async function answer(call: Call, args: Args): Promise<Response> {
  const { context, request } = args
  const given = await admit(call, args)
  if (!given.ok) return refusalResponse(given, call)
  const { me, sent } = given.value
  const url = new URL(request.url)
  const input = checkInput(call, url, args.params, sent)
  if (!input.ok) return refusalResponse(input, call)
  const keyed =
    call.method === 'GET' || !sent ? done(null) : keyedBy(call, request, me, `${url.pathname}\n${sent.text}`)
  if (!keyed.ok) return refusalResponse(keyed, call)
  return repeatable(context, call, keyed.value, async () => {
    const limited = await overRate(call, args, me)
    if (!limited.ok) return refusalResponse(limited, call)
    const commandId = keyed.value?.commandId ?? randomUUID()
    const who = call.caller === 'anyone' ? null : await context.bearer()
    const acting = who && { ...context, who }
    const handle = call.handle as (input: object) => Promise<CallAnswer<unknown>>
    return respond(call, await handle({ context, request, me, acting, commandId, ...input.value }))
  })
}

/** Who calls, and the body as it was sent; null for a call without one, and for a form. */
async function admit(call: Call, { context, request }: Args): Promise<Answer<Given>> {
  const wait = await overAddressLimit(context, request)
  if (wait !== null) return tooMany(wait)
  const caller = await findCaller(call.caller, context, request)
  if (!caller.ok) return caller
  const me = caller.value
  if (call.method === 'GET' || sendsForm(call, request)) return done({ me, sent: null })
  const sent = await readBody(call, request)
  if (!sent.ok) return sent
  const admitted = call.admit
    ? (call.admit as (me: unknown, body: unknown) => Answer<null>)(me, sent.value.json)
    : done(null)
  return admitted.ok ? done({ me, sent: sent.value }) : admitted
}

async function overRate(call: Call, { context }: Args, me: Given['me']): Promise<Answer<null>> {
  if (!call.rate) return done(null)
  const taken = await context.limits.take(call.rate, keyOf(me) ?? networkOf(context.ip))
  return taken.ok ? done(null) : tooMany(taken.retryInMs)
}

function keyOf(me: Given['me']): string | null {
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
