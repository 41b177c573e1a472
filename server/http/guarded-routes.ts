import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type ServerBuild,
} from '@remix-run/node'
import { isAway } from '../../app/request/away.server.ts'
import { AWAY, retryAfter, type Unavailable, unavailableReply } from '../../app/words/unavailable.ts'

type Routes = ServerBuild['routes']
type Args = LoaderFunctionArgs & ActionFunctionArgs

/** The requests that were refused because what they need is away. */
const away = new WeakSet<AppLoadContext>()

/** Whether some loader or action of this request found the log or Postgres away. */
export const foundAway = (context: AppLoadContext): boolean => away.has(context)

/**
 * The routes of a build, none of which runs for a request that is not tried, and each of which says so where what it needs is
 * away: in this one place for all pages. Loaders throw it to the page's boundary; actions answer it, so that a page with
 * script keeps what was typed.
 */
export function guardRoutes(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const { loader, action, default: page } = route?.module ?? {}
      const module = {
        ...route?.module,
        ...(loader && { loader: guarded(loader, (why) => Promise.reject(asResponse(why))) }),
        ...(action && { action: guarded(action, async (why) => (page ? asData(why) : asResponse(why))) }),
      }
      return [id, { ...route, module } as Routes[string]]
    }),
  )
}

/** `work` with its own further properties, such as `hydrate`. */
function guarded<R>(work: (args: Args) => R, refuse: (why: Unavailable) => Promise<unknown>) {
  const run = async (args: Args) => {
    const { context } = args
    if (context.unavailable) return refuse(context.unavailable)
    try {
      return await work(args)
    } catch (error) {
      if (args.request.signal.aborted || !isAway(error)) throw error
      away.add(context)
      context.reportError(error)
      return refuse(AWAY)
    }
  }
  return Object.assign(run, work)
}

const initOf = ({ status, retryInMs }: Unavailable) => ({ status, headers: { 'Retry-After': retryAfter(retryInMs) } })
const asData = (why: Unavailable) => data(unavailableReply(why), initOf(why))
const asResponse = (why: Unavailable) => Response.json(unavailableReply(why), initOf(why))
