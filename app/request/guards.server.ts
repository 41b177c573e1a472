import { redirect } from '@remix-run/node'
import { memberDecider } from '../../domain/identity/member.ts'
import type { Role } from '../../domain/identity/roles.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { SignedIn, Viewer } from '../../usecases/ports.ts'
import { AWAY, retryAfter, unavailableReply } from '../words/unavailable.ts'
import type { RequestContext } from './context.server.ts'
import { isLook, loginPath, ownPath, takenBy } from './return-to.ts'

/** An active member, or off to where this visitor belongs. First line of every loader and action (security T24). */
export async function requireMember(context: RequestContext): Promise<SignedIn> {
  const acting = await requireViewer(context)
  if (acting.who.status === 'deactivated') throw redirect('/settings/delete')
  return acting
}

/** Any live session, also of a deactivated account. */
export async function requireViewer(context: RequestContext): Promise<SignedIn> {
  const who = await context.viewer()
  if (!who || who.status === 'suspended') throw await toLogin(context, who)
  return { ...context, who }
}

/** The login reports a session that ended by itself or from elsewhere; whoever signed out here brings none any more. */
async function toLogin(
  { returnTo, cameSignedIn }: Pick<RequestContext, 'returnTo' | 'cameSignedIn'>,
  who: Viewer | null,
): Promise<Response> {
  const hasEnded = returnTo !== null && !who && (await cameSignedIn())
  return redirect(loginPath(returnTo, hasEnded ? { ended: '' } : {}))
}

/** After a body, which takes as long as its sender likes: who may act less than before it is led away. */
export async function requireStillSignedIn(
  context: Pick<RequestContext, 'viewer' | 'lookAgain' | 'returnTo' | 'cameSignedIn'>,
  before: Viewer,
): Promise<void> {
  context.lookAgain()
  const who = await context.viewer()
  if (!who || (who.status === 'suspended' && before.status !== 'suspended')) throw await toLogin(context, who)
  if (who.status === 'deactivated' && before.status === 'active') throw redirect('/settings/delete')
}

/**
 * For login and sign-up: who is signed in has no business there (spec 2 §2), and goes on to the page that the request asks
 * for, by another tab perhaps.
 */
export async function requireAnonymous(context: RequestContext, request: Request): Promise<void> {
  const returnTo = askedReturnTo(request, '/discover')
  const viewer = await context.viewer()
  if (!viewer || viewer.status === 'suspended') return
  throw redirect(returnTo)
}

/**
 * Where a page on the way through the login is asked to lead back to. A link of another site is led to the same page with what
 * is left to it: an address that stays asks again with every form and reload, and those are the page's own.
 */
export function askedReturnTo(request: Request, fallback = '/'): string {
  const url = new URL(request.url)
  const asked = ownPath(url.searchParams.get('redirectTo'), fallback)
  const taken = takenBy(request, asked)
  if (taken === asked || !isLook(request)) return taken
  url.searchParams.set('redirectTo', taken)
  throw redirect(url.pathname + url.search)
}

/**
 * A member with the role, by the log itself, so that a revocation holds at once. Everybody else gets the answer of a path
 * that does not exist.
 */
export async function requireRole(context: RequestContext, role: Role): Promise<MemberId> {
  const viewer = await context.viewer()
  if (viewer?.status !== 'active') throw elsewhere()
  const { status, roles } = await context.loadState(memberDecider, viewer.member)
  if (status !== 'active' || !roles.includes(role)) throw elsewhere()
  return viewer.member
}

/** A path that does not exist leads to the landing page (spec 2 §2). */
export function elsewhere(): Response {
  return redirect('/')
}

/** The same for an unknown thing and one that the viewer may not see (api-contract §6.0). */
export function notFound(): Response {
  return new Response('Not found', { status: 404, statusText: 'Not found' })
}

/** For a member whom the read models do not know: the account is being erased, or only just made. */
export function notReady(): Response {
  const headers = { 'Retry-After': retryAfter(AWAY.retryInMs) }
  return Response.json(unavailableReply(AWAY), { status: AWAY.status, headers })
}

/** Marks a page that anybody may open, signed in or not; it asks nothing. */
export function openPage(_context: RequestContext): void {}

/** For development pages: elsewhere the path leads home, like any that does not exist. */
export function requireLocal(context: { readonly mode: 'local' | 'production' }): void {
  if (context.mode !== 'local') throw elsewhere()
}
