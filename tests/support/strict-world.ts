import type { Ports } from '../../usecases/ports.ts'
import { startWorld, type WorldOptions } from './world.ts'

/**
 * A world without pages whose limits count. Each visitor comes from an address of their own, so that limits of one test
 * leave the others alone.
 */
export async function startStrictWorld(options: Pick<WorldOptions, 'now' | 'config'> = {}) {
  const world = await startWorld({ web: false, rateLimits: true, ...options })
  const context: Ports = { ...world.context, limits: world.services.limits }
  let visitors = 0
  const visitor = (): Ports => ({ ...context, ip: `192.0.2.${++visitors}` })
  return { world, context, visitor }
}
