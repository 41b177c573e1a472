import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppLoadContext } from '@remix-run/node'
import { isAway } from '../../app/request/away.server.ts'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { isUploadPath } from '../../app/request/upload-paths.ts'
import { AWAY, retryAfter, type Unavailable } from '../../app/words/unavailable.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { Spending } from '../../services/limits/spending.ts'
import {
  failure,
  jsonUnderApi,
  keptFormPage,
  othersPage,
  tooLargePage,
  tooLongPage,
  unavailablePage,
} from './answers.ts'
import { type BodyReading, type BodyVerdict, limitBody, PLAIN_FORM } from './body-limit.ts'
import { joinPieces } from './body-pieces.ts'
import type { Client, SiteOptions, Watched } from './client.ts'
import type { Vouch } from './connection-caps.ts'
import { contentTypeOf, FORM_WITH_FILES } from './content-type.ts'
import { EarlyAnswers, isSending, type Linger } from './early-answer.ts'
import { cameWhole } from './entry/came-whole.ts'
import { isGoneByTurn, isGoneLook } from './entry/given-up.ts'
import { pathOf } from './entry/path-of.ts'
import { refusal } from './entry/refusal.ts'
import { requestOf } from './entry/request-of.ts'
import { isSentWhole, keepWhole } from './entry/sent-whole.ts'
import { foundAway, foundOthers, foundTooLong, foundUnanswered } from './guarded-routes.ts'
import { type FormRequest, holdsText, keepForm } from './kept/kept-form.ts'
import { isApi } from './origin-guard.ts'
import { routeOf } from './raw/route-of.ts'
import { ReadPace } from './read-pace.ts'
import type { RemixHandler } from './remix.ts'
import { BodyRoom } from './room/body-room.ts'
import { type PolicyOptions, secure } from './security-headers.ts'
import { send, sendLast } from './send.ts'
import type { Arrivals } from './turns/arrivals.ts'
import { asksOf } from './turns/asks.ts'
import { beginWhileThere, turnsOfBody } from './turns/body-turns.ts'
import { Holders } from './turns/holders.ts'
import { RequestTurns } from './turns/request-turns.ts'
import { watchedClient } from './watched-client.ts'

/** Tried before Remix, in order; the first that does not answer null has answered. */
export type RawHandler = (request: Request, client: Client) => Promise<Response | null> | Response | null

/**
 * One line of the access log: no query. `signsIn`: the answer gives a browser a session. `routeOf`: the pattern of what has the
 * address. Who and where from are for hashes alone, never for a line.
 */
export type RequestLine = {
  requestId: string
  method: string
  pathname: string
  status: number
  signsIn: boolean
  ms: number
  ip: string
  routeOf: () => string | null
} & Omit<Watched, 'call'>

/** `form`: what a plain form brought. */
export type Finish = (
  request: Request,
  context: AppLoadContext,
  response: Response,
  form?: FormRequest['fields'],
) => Promise<Response>

export type HttpHandlerOptions = SiteOptions &
  PolicyOptions & {
    remix: RemixHandler
    contextFor: (request: Request, client: Client) => AppLoadContext | Promise<AppLoadContext>
    /** How long a page has to wait for its turn, or null. Calls answer that in their own form. */
    overLimit?: (request: Request, context: AppLoadContext) => Promise<number | null>
    /** After Remix has answered: what the request wrote may add to the answer. */
    finish?: Finish
    files?: (request: Request, pathname: string) => Promise<Response | null>
    raw?: readonly RawHandler[]
    /** For whoever sends on after the answer. */
    linger?: Linger
    /** After so long a request gives its place to the next of its network (`RequestTurns`). */
    turnMs?: number | undefined
    /** The memory of bodies on their way; tests lower it. */
    room?: BodyRoom
    /** Of connections to the port: strangers' work begins once none waits to be taken. */
    arrivals?: Arrivals
    onRequest?: (line: RequestLine) => void
    onError?: (error: unknown, client: Client) => void
    vouch?: Vouch
    /** What other processes read of each network's bodies. */
    readElsewhere?: Spending
  }

async function answer(
  request: Request,
  pathname: string,
  client: Client,
  options: HttpHandlerOptions,
): Promise<Response> {
  const file = await options.files?.(request, pathname)
  if (file) return file
  for (const handle of options.raw ?? []) {
    const response = await handle(request, client)
    if (response) return response
  }
  return answerOrKeep(request, pathname, client, options)
}

/** `form`: what a form that no script sent brought. */
type Sent = { request: Request; form: FormRequest['fields'] | undefined }

/** What was typed is in the answer as well where the failure is before or behind the routes, as in the limit of addresses. */
async function answerOrKeep(
  sent: Request,
  pathname: string,
  client: Client,
  options: HttpHandlerOptions,
): Promise<Response> {
  const kept = keepForm(sent)
  try {
    return await answerByRoute({ request: kept?.request ?? sent, form: kept?.fields }, pathname, client, options)
  } catch (error) {
    const lost = sent.signal.aborted ? null : await kept?.fields().catch(() => null)
    if (!lost || !holdsText(lost)) throw error
    options.onError?.(error, client)
    return isAway(error) ? unavailablePage(AWAY, pathname, client, lost) : keptFormPage(500, client, lost)
  }
}

/**
 * A page, its data or a call. What a page's script asks for while its address is throttled goes through the routes all the
 * same, which refuse in the form that the script reads.
 */
async function answerByRoute(
  { request, form }: Sent,
  pathname: string,
  client: Client,
  options: HttpHandlerOptions,
): Promise<Response> {
  const context = await options.contextFor(request, client)
  const unavailable = isApi(pathname) ? null : await unavailableFor(options, request, context)
  if (unavailable && !pathname.endsWith('.data')) return unavailablePage(unavailable, pathname, client, await form?.())
  const response = await options.remix(request, unavailable ? { ...context, unavailable } : context)
  if (foundTooLong(context) && !pathname.endsWith('.data')) {
    await response.body?.cancel()
    return tooLongPage(client)
  }
  const others = foundOthers(context)
  if (others && response.status !== 409 && !pathname.endsWith('.data')) {
    await response.body?.cancel()
    return othersPage(others, response.headers.get('Location'), client)
  }
  const why = unavailable ?? (foundAway(context) ? AWAY : null)
  if (why && form) return unavailablePage(why, pathname, client, await form())
  if (why) response.headers.set('Retry-After', retryAfter(why.retryInMs))
  const lost = foundUnanswered(context) && response.status >= 400 ? await form?.() : null
  if (lost && holdsText(lost)) {
    await response.body?.cancel()
    return keptFormPage(response.status, client, lost)
  }
  return options.finish ? options.finish(request, context, response, form) : response
}

/** Pages alone: calls answer that in their own form. */
async function unavailableFor(
  { overLimit }: HttpHandlerOptions,
  request: Request,
  context: AppLoadContext,
): Promise<Unavailable | null> {
  try {
    const wait = (await overLimit?.(request, context)) ?? null
    return wait === null ? null : { status: 429, retryInMs: wait }
  } catch (error) {
    if (!isAway(error)) throw error
    context.reportError(error)
    return AWAY
  }
}

/** Answers within the limits of the body, or names the limit that was broken. */
async function respond(
  incoming: Request,
  pathname: string,
  client: Client,
  options: HttpHandlerOptions,
  body: BodyReading,
): Promise<Response> {
  const { request, verdict } = limitBody(incoming, body)
  const cutOff = () => cutOffAnswer(incoming, pathname, client, verdict)
  if (verdict.status) return cutOff()
  try {
    const response = await answer(request, pathname, client, options)
    if (!verdict.status) return await jsonUnderApi(response, pathname)
    await response.body?.cancel()
  } catch (error) {
    const isGone = request.signal.aborted || (client.left?.aborted && error === client.left.reason)
    if (!verdict.status && !isGone) options.onError?.(error, client)
    if (!verdict.status && isAway(error)) return unavailablePage(AWAY, pathname, client)
  }
  return verdict.status ? cutOff() : failure(500, pathname, client)
}

/** Others of the network are sending as much already. */
const TOO_MUCH_AT_ONCE: Unavailable = { status: 429, retryInMs: 5_000 }

/** The answer to a body that was not read to its end. */
function cutOffAnswer(request: Request, pathname: string, client: Client, { status }: BodyVerdict): Response {
  if (status === 429) return unavailablePage(TOO_MUCH_AT_ONCE, pathname, client)
  const type = status === 413 && !isApi(pathname) ? contentTypeOf(request) : null
  if (type === FORM_WITH_FILES && isUploadPath(pathname)) return tooLargePage(client)
  const isForm = type === PLAIN_FORM || type === FORM_WITH_FILES
  return isForm ? tooLongPage(client) : failure(status ?? 500, pathname, client)
}

const givesSession = ({ headers }: Response) =>
  headers.getSetCookie().some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`) && !/^[^=]+=;/.test(cookie))

type Noted = ReturnType<typeof watchedClient>
const notedOf = (
  { requestId, ip, watched: { call, ...watched } }: Noted,
  pathname: string | null,
  { remix }: HttpHandlerOptions,
) => ({
  requestId,
  ip,
  routeOf: () => call ?? (pathname && routeOf(pathname, remix)),
  ...watched,
})

/** The listener for `node:http`: guard, files, raw handlers, Remix, and the security headers over all of them. */
export function createHttpHandler(
  options: HttpHandlerOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const turns = new RequestTurns({ turnMs: options.turnMs }, options.arrivals)
  const early = new EarlyAnswers(options.linger)
  const reading = new ReadPace(undefined, options.readElsewhere)
  const holders = new Holders()
  const room = options.room ?? new BodyRoom()
  return async (incoming, outgoing) => {
    const startedAt = performance.now()
    const holder = holders.of(incoming)
    if (holder === undefined && (await isGoneLook(incoming))) return void incoming.socket.destroy()
    const client = watchedClient(incoming, options, { holders, taken: () => taken })
    const network = networkOf(client.ip)
    const pace = reading.of(network)
    const pieces = joinPieces(incoming)
    keepWhole(incoming)
    const turn = turns.of(asksOf(incoming, network, holder))
    const isThere = await beginWhileThere(turn, outgoing)
    if (!isThere || (holder === undefined && turns.crowded && (await isGoneByTurn(incoming)))) {
      incoming.socket.destroy()
      return turn.over()
    }
    client.arrivedWhole = cameWhole(incoming)
    const taken = room.enter(network, holder)
    const body = { pace, pieces, turns: turnsOfBody(turn, outgoing), room: taken, isWhole: () => isSentWhole(incoming) }
    const pathname = pathOf(incoming.url)
    const method = incoming.method ?? ''
    let [status, signsIn] = [outgoing.statusCode, false]
    try {
      const refused = refusal(incoming, pathname, client)
      const request = refused || pathname === null ? null : requestOf(incoming, outgoing, client, options)
      client.left = outgoing.destroyed ? AbortSignal.abort() : request?.signal
      const response = request && pathname ? await respond(request, pathname, client, options, body) : refused
      const secured = secure(response ?? failure(400, '/', client), client, options)
      signsIn = givesSession(secured)
      // To whoever is gone nothing is written.
      if (body.isWhole()) status = secured.status
      turn.answered(secured.status)
      if (pieces.tooSmall) await sendLast(outgoing, secured)
      else if (await isSending(incoming)) await early.send(incoming, outgoing, secured, { network, pace })
      else await send(outgoing, request, secured)
    } catch (error) {
      if (!outgoing.destroyed) options.onError?.(error, client)
      outgoing.destroy()
    }
    turn.over()
    taken.end()
    if (outgoing.headersSent) status = outgoing.statusCode
    const ms = Math.round(performance.now() - startedAt)
    options.onRequest?.({
      method,
      pathname: pathname ?? '',
      status,
      signsIn,
      ms,
      ...notedOf(client, pathname, options),
    })
  }
}
