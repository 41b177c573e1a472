import type { AppLoadContext } from '@remix-run/node'
import type { CarriedForms } from '../app/request/carried.server.ts'
import type { RequestContext } from '../app/request/context.server.ts'
import { loginPath, ownPath } from '../app/request/return-to.ts'
import { MemberId } from '../domain/shared/ids.ts'
import { comeBackPage, signInPage } from './http/answers.ts'
import type { Finish } from './http/handler.ts'
import { holdsText, type KeptForm } from './http/kept/kept-form.ts'

/**
 * Has a form that was sent without script, and whose session is over or whose account is deactivated, wait until its member
 * is back; `finish` does whatever else an answer needs.
 */
export const carryForms =
  (forms: CarriedForms, finish: Finish): Finish =>
  async (request, context, response, form) => {
    const finished = await finish(request, context, response)
    if (context.carriedOver() && finished.status < 400) return withCookies(finished, await forms.clear())
    const lost = form && (await isLedAway(context, request, response)) ? await form() : null
    if (!lost || !holdsText(lost)) return finished
    const member = MemberId.safeParse(lost.fields.find(([name]) => name === 'as')?.[1]).data
    const to = pageOf(response, context)
    if (!member || !to) return finished
    const cookies = await forms.carry({ member, path: new URL(to, request.url).pathname, fields: lost.fields })
    return cookies ? withCookies(finished, cookies) : tooMuch(context, lost, { finished, to })
  }

/** What the page that is asked for brings for whoever is signed in; a page that is read ahead is not looked at. */
export function broughtBy(
  forms: CarriedForms,
  request: Request,
  member: () => Promise<string | null>,
): Pick<RequestContext, 'carried' | 'carriedOver'> {
  let isOver = false
  const isAhead = /prefetch/.test(request.headers.get('Sec-Purpose') ?? request.headers.get('Purpose') ?? '')
  const bring = async () => {
    const who = request.method !== 'GET' || isAhead ? null : await member()
    if (who === null) return null
    const path = new URL(request.url).pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    const { brought, over } = await forms.bring(request, who, path)
    isOver = over
    return brought
  }
  return { carried: bring, carriedOver: () => isOver }
}

const COME_BACK = '/settings/delete'

/** Led away, since nobody is signed in, or to come back to an account first. */
async function isLedAway(context: AppLoadContext, { url }: Request, { status, headers }: Response): Promise<boolean> {
  if (status < 300 || status >= 400) return false
  const viewer = await context.viewer()
  if (viewer === null) return true
  return viewer.status === 'deactivated' && headers.get('Location') === COME_BACK && new URL(url).pathname !== COME_BACK
}

/** Where the login leads back to, or the page that the form is on. */
function pageOf({ headers }: Response, { returnTo }: AppLoadContext): string | null {
  const to = new URL(headers.get('Location') ?? '', 'http://own.invalid')
  const asked = to.searchParams.get('redirectTo')
  return asked === null ? returnTo : ownPath(asked)
}

async function tooMuch(
  { nonce }: AppLoadContext,
  form: KeptForm,
  { finished, to }: { finished: Response; to: string },
): Promise<Response> {
  await finished.body?.cancel()
  const isDeactivated = finished.headers.get('Location') === COME_BACK
  return isDeactivated ? comeBackPage({ nonce }, form, COME_BACK) : signInPage({ nonce }, form, loginPath(to))
}

/** The answer with these cookies too. */
function withCookies(response: Response, cookies: readonly string[]): Response {
  const headers = new Headers(response.headers)
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
