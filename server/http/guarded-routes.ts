import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type ServerBuild,
} from '@remix-run/node'
import type { OthersForm, TooLongForm } from '../../app/forms/receive-form.server.ts'
import { errorIn } from '../../app/forms/reply.ts'
import { isAway } from '../../app/request/away.server.ts'
import { AWAY, retryAfter, type Unavailable, unavailableReply } from '../../app/words/unavailable.ts'

type Routes = ServerBuild['routes']
type Args = LoaderFunctionArgs & ActionFunctionArgs

/** The requests that were refused because what they need is away. */
const away = new WeakSet<AppLoadContext>()

/** Whether some loader or action of this request found the log or Postgres away. */
export const foundAway = (context: AppLoadContext): boolean => away.has(context)

/** The requests whose form was answered by no page of its own: its action failed, or threw a refusal. */
const unanswered = new WeakSet<AppLoadContext>()

/** Whether what was typed is on no page of the answer. */
export const foundUnanswered = (context: AppLoadContext): boolean => unanswered.has(context)

/** The requests whose form was too long for its page to give it back. */
const notGivenBack = new WeakSet<AppLoadContext>()

/** Whether this request's form was too long for its page to give it back. */
export const foundTooLong = (context: AppLoadContext): boolean => notGivenBack.has(context)

/** What the forms of these requests were refused with, since their pages are another's. */
const refusedOthers = new WeakMap<AppLoadContext, string>()

/** Why this request's form was refused, in words, if its page is another's. */
export const foundOthers = (context: AppLoadContext): string | null => refusedOthers.get(context) ?? null

/**
 * The routes of a build, none of which runs for a request that is not tried, and each of which reports it where what it
 * needs is away: in this one place for all pages. Loaders throw it to the page's boundary; actions answer it, so that a
 * page with script keeps what was typed.
 */
export function guardRoutes(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const { loader, action, default: page } = route?.module ?? {}
      const module = {
        ...route?.module,
        ...(loader && { loader: guarded(loader, false, (why) => Promise.reject(asResponse(why))) }),
        ...(action && {
          action: guarded(readable(action, Boolean(page)), true, async (why) => (page ? asData(why) : asResponse(why))),
        }),
      }
      return [id, { ...route, module } as Routes[string]]
    }),
  )
}

/** `work` with its own further properties, such as `hydrate`. */
function guarded<R>(work: (args: Args) => R, isAction: boolean, refuse: (why: Unavailable) => Promise<unknown>) {
  const run = async (args: Args) => {
    const { context } = args
    if (context.unavailable) return refuse(context.unavailable)
    try {
      return await work(args)
    } catch (error) {
      if (losesForm(args.request, error, isAction)) unanswered.add(context)
      if (args.request.signal.aborted || !isAway(error)) throw error
      away.add(context)
      context.reportError(error)
      return refuse(AWAY)
    }
  }
  return Object.assign(run, work)
}

/** A failure of any part, or a refusal of the action: where a loader refuses its page by then, the action has answered. */
function losesForm({ method }: Request, error: unknown, isAction: boolean): boolean {
  if (method !== 'POST') return false
  return error instanceof Response ? isAction && error.status >= 400 : true
}

/**
 * Answers a form with too much text by its reply, so that its page shows it, with what was typed if that is given back; and
 * one of another member's page.
 */
function readable<R>(work: (args: Args) => R, hasPage: boolean) {
  const run = async (args: Args) => {
    try {
      return await work(args)
    } catch (error) {
      if (!isTooLong(error) && !isOthers(error)) throw error
      const { reply } = error
      if (isOthers(error)) refusedOthers.set(args.context, errorIn(reply) ?? '')
      if (hasPage && isTooLong(error) && !error.isGivenBack) notGivenBack.add(args.context)
      if (hasPage) return data(reply, reply.status)
      throw new Response(errorIn(reply), { status: reply.status })
    }
  }
  return Object.assign(run, work)
}

/** By name: pages are bundled with a copy of their own of the class. */
const isTooLong = (error: unknown): error is TooLongForm => error instanceof Error && error.name === 'TooLongForm'
const isOthers = (error: unknown): error is OthersForm => error instanceof Error && error.name === 'OthersForm'

const initOf = ({ status, retryInMs }: Unavailable) => ({ status, headers: { 'Retry-After': retryAfter(retryInMs) } })
const asData = (why: Unavailable) => data(unavailableReply(why), initOf(why))
const asResponse = (why: Unavailable) => Response.json(unavailableReply(why), initOf(why))
