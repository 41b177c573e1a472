import { createLogger } from '../../../services/log.ts'
import { serveWeb } from '../../support/described/serve-web.ts'
import type { World } from '../../support/world.ts'

/** What the product does to whatever is sent, while it is set. */
export type Breaking = { how: '500' | '429' | null }

/** What is looked at before a page's own work, and what a page needs besides. */
const LEFT_WHOLE = new Set(['sessions', 'limits', 'media', 'presence', 'credentials'])
const THROTTLED = { ok: false, retryInMs: 2_000 }

/** More pages of the same world, whose work fails, or is throttled, while `breaking` names that. */
export async function breakablePages({ product, config, publicUrl }: World, breaking: Breaking) {
  const fails = (work: (...args: never[]) => unknown) =>
    function broken(this: unknown, ...args: never[]) {
      if (breaking.how === '500') throw new Error('Broken by the drill.')
      return work.apply(this, args)
    }
  const breakable = <T extends object>(whole: T): T =>
    new Proxy(whole, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? fails(value.bind(target)) : value
      },
    })
  const { limits, ...others } = product.services
  const take: typeof limits.take = async (...args) =>
    breaking.how === '429' ? (THROTTLED as Awaited<ReturnType<typeof limits.take>>) : limits.take(...args)
  const broken = Object.fromEntries(
    Object.entries(others).map(([name, service]) => [
      name,
      typeof service === 'object' && service && !LEFT_WHOLE.has(name) ? breakable(service) : service,
    ]),
  )
  const core = { ...product.core, dispatch: fails(product.core.dispatch), loadState: fails(product.core.loadState) }
  const services = { ...product.services, ...broken, limits: { ...limits, take } }
  const logger = createLogger({ level: 'silent' })
  const now = () => new Date()
  const given = { ...product, core: core as typeof product.core, services: services as typeof product.services }
  return serveWeb({ product: given, config: { ...config, rateLimits: true }, port: 0, publicUrl, now, logger })
}
