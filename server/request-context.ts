import type { AppLoadContext } from '@remix-run/node'
import { programOf } from '../app/api/program.server.ts'
import { BEHIND_HEADER, POSITION_HEADER } from '../app/api/repeat.server.ts'
import { bearerTokenOf } from '../app/request/address-limit.server.ts'
import type { CarriedForms } from '../app/request/carried.server.ts'
import type { RequestContext } from '../app/request/context.server.ts'
import { cookieOf, hostCookie } from '../app/request/cookie.server.ts'
import { pageToReturnTo } from '../app/request/return-to.ts'
import { bringsSession, deviceOf, sessionTokenOf } from '../app/request/session-cookie.server.ts'
import type { ShellMember } from '../app/shell/shell.ts'
import type { EventType } from '../domain/all-events.ts'
import { Position } from '../domain/shared/recorded.ts'
import type { Dispatch } from '../eventstore/dispatch.ts'
import { later } from '../eventstore/position.ts'
import { memberModels, modelsShowing } from '../projections/all-projections.ts'
import type { CaughtUp } from '../projections/engine/caught-up.ts'
import { mediaUrl } from '../services/media/media-url.ts'
import type { ReadActing, Services, SignedInMember } from '../usecases/ports.ts'
import { broughtBy } from './carried-forms.ts'
import type { Client } from './http/client.ts'
import { isApi } from './http/origin-guard.ts'
import { askingInTime } from './waiting/in-time.ts'
import type { EpochNow, ShownUpTo } from './waiting/shown.ts'
import { watchedServices } from './watched-services.ts'

/** How long an answer waits for the read models, after a write and for one's own write (decision 0005). */
const CATCH_UP_MS = 1_500
/** Where the read models must be to show what this browser wrote. */
const positionCookie = hostCookie('__Host-pos')
/** Set by the page's own script: the last event that it has heard of. */
const seenCookie = hostCookie('__Host-live')

/** What all requests share. */
type Shared = Pick<RequestContext, 'dispatch' | 'loadState' | 'isRepeat' | 'read' | 'history' | 'readModels' | 'now'>

export type ContextDeps = Shared & {
  readonly readActing: ReadActing
  readonly services: Services
  readonly mode: 'local' | 'production'
  readonly caughtUp: CaughtUp
  readonly carriedForms: CarriedForms
  /** The last position that is not the log's own; undefined where it does not answer. */
  readonly head: () => Promise<Position | undefined>
  /** False for a position after the log's end: it was never written, and nothing is worth waiting for. */
  readonly wasWritten: (position: Position) => Promise<boolean>
  readonly shown: ShownUpTo
  readonly epoch: EpochNow
  readonly reportError: (error: unknown, requestId: string) => void
}

/** Makes what one request may reach. Until `catchUp` was called, it may show less than its caller has seen. */
export function createContextFor(deps: ContextDeps) {
  return async (request: Request, client: Client): Promise<AppLoadContext> => {
    // Under /api no cookie counts (api-contract §6.0).
    const cookies = isApi(new URL(request.url).pathname) ? null : request
    const { lagging, ...fresh } = freshness(deps, request, cookies)
    // A command completes when its sender is gone: what was sent was meant. A page that nobody waits for does not.
    const asking = askingInTime(deps, isLook(request) ? request.signal : undefined)
    const { dispatch, written, asked, types } = recording(asking.dispatch)
    const head = once(deps.head)
    const find = async (token: string | null, withFrame: boolean) => {
      const known = token ? await deps.readActing(token, { withFrame }) : null
      if (known) client.vouch?.(known.who.member, token)
      else if (token) client.foundDead?.(token)
      if (known && client.watched) {
        client.watched.who ??= known.who.member
        client.watched.cameSignedIn = true
      }
      return known
    }
    const byCookie = async () => find(cookies && (await sessionTokenOf(cookies)), true)
    const byToken = () => find(bearerTokenOf(request), false)
    let [signedIn, called] = [once(byCookie), once(byToken)]
    const lookAgain = () => {
      ;[signedIn, called] = [once(byCookie), once(byToken)]
    }
    const viewer = async () => (await signedIn())?.who ?? null
    const context: RequestContext = {
      ...deps.services,
      ...watchedServices(deps.services, client),
      device: cookies
        ? () => deviceOf(cookies)
        : async () => programOf({ ...deps.services, ip: client.ip }, request).device,
      ...asking,
      dispatch,
      written,
      positionFor: async (status) => written() ?? (asked() && status < 400 ? head() : undefined),
      showing: () => (looksAlike(types) ? memberModels : [...new Set([...modelsShowing(types), ...lagging()])]),
      read: deps.read,
      history: deps.history,
      readModels: deps.readModels,
      now: deps.now,
      ...askerOf(request, client),
      ...fresh,
      ...broughtBy(deps.carriedForms, request, async () => (cookies && (await viewer())?.member) ?? null),
      returnTo: pageToReturnTo(request),
      cameSignedIn: async () => cookies !== null && bringsSession(cookies),
      viewer,
      bearer: async () => (await called())?.who ?? null,
      lookAgain,
    }
    const shell = async () => shellOf(await signedIn())
    return Object.assign(context, {
      mode: deps.mode,
      shell,
      reportError: (error: unknown) => deps.reportError(error, client.requestId),
    })
  }
}

const askerOf = ({ signal }: Request, { requestId, nonce, ip, toDisk, watched, arrivedWhole, left }: Client) => ({
  requestId,
  ...(arrivedWhole && { arrivedWhole }),
  nonce,
  ip,
  left: left ?? signal,
  atCall: (pattern: string) => {
    if (watched) watched.call = pattern
  },
  ...(toDisk && { toDisk }),
})

/** What is answered as done also where it was refused (ruling R5): it takes as long as a refusal. */
const ALIKE: ReadonlySet<EventType> = new Set(['Unmatched', 'BuzzWithdrawn', 'Skipped', 'SkipUndone'])
const looksAlike = (types: ReadonlySet<EventType>) => [...types].some((type) => ALIKE.has(type))

/**
 * After a request that wrote: waits for the read models that show it, and answers the position that they must reach (api-contract
 * §6.0).
 */
export function createFinish({ caughtUp }: Pick<ContextDeps, 'caughtUp'>) {
  return async (request: Request, context: AppLoadContext, response: Response): Promise<Response> => {
    const position = await context.positionFor(response.status)
    if (!position && !context.behind()) return response
    const models = context.written() ? context.showing() : memberModels
    const shown = position ? await caughtUp(position, models, CATCH_UP_MS) : false
    const headers = new Headers(response.headers)
    if (!shown) headers.set(BEHIND_HEADER, 'true')
    if (position) headers.set(POSITION_HEADER, position)
    if (position && !isApi(new URL(request.url).pathname))
      headers.append('Set-Cookie', await positionCookie.serialize(position))
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
}

/** What the caller has seen, and whether the read models show it; nothing is known of it before `catchUp`. */
function freshness(deps: ContextDeps, request: Request, cookies: Request | null) {
  let behind = false
  let lagging: readonly string[] = []
  let shown: Position | null = null
  let epoch: string | undefined
  const catchUp = once(async () => {
    const seen = await positionOf(request, cookies)
    behind = seen !== undefined && !(await shows(deps, seen))
    if (behind) lagging = memberModels
    // Before the rows are read; a visitor's page has no live connection.
    if (!cookies || !(await bringsSession(cookies))) return
    epoch = await deps.epoch()
    shown = await deps.shown()
  })
  return { catchUp, behind: () => behind, lagging: () => lagging, shown: () => shown, epoch: () => epoch }
}

/** Whether the read models show the position, after a wait where it can help. */
async function shows({ shown, wasWritten, caughtUp }: ContextDeps, seen: Position): Promise<boolean> {
  if (((await shown()) ?? '') >= seen) return true
  return (await wasWritten(seen)) && caughtUp(seen, memberModels, CATCH_UP_MS)
}

/** The dispatch of one request, which remembers the last position that it wrote, and what kinds of events. */
function recording(dispatch: Dispatch) {
  let written: Position | undefined
  let asked = false
  const types = new Set<EventType>()
  const own: Dispatch = async (decider, command, context) => {
    const outcome = await dispatch(decider, command, context)
    asked = true
    // Where nothing was to be done the stream's end would show when somebody else last wrote (ruling R5).
    if (!outcome.ok || outcome.events.length === 0) return outcome
    written = written ? later(written, outcome.position) : outcome.position
    for (const { type } of outcome.events) types.add(type)
    return outcome
  }
  return {
    written: () => written,
    asked: () => asked,
    types,
    dispatch: own,
  }
}

async function positionOf(request: Request, cookies: Request | null): Promise<Position | undefined> {
  const given = [
    request.headers.get(POSITION_HEADER),
    cookies && (await cookieOf(positionCookie, cookies)),
    cookies && (await cookieOf(seenCookie, cookies)),
  ]
  return given
    .map((text) => Position.safeParse(text).data)
    .filter((position) => position !== undefined)
    .sort()
    .at(-1)
}

/** As the frame around every page shows them; null for a visitor, and for who was shut out. */
function shellOf(signedIn: SignedInMember | null): ShellMember | null {
  if (!signedIn?.frame || signedIn.who.status === 'suspended') return null
  const { who, frame } = signedIn
  return {
    id: who.member,
    firstName: frame.firstName,
    avatarUrl: frame.avatar && mediaUrl(frame.avatar),
    status: who.status === 'deactivated' ? 'deactivated' : 'active',
    unread: frame.badges,
  }
}

const isLook = ({ method }: Request) => method === 'GET' || method === 'HEAD'

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
