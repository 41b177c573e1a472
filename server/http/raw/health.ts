import type { z } from 'zod'
import type { Alive, Readiness, RoleState as RoleStateShape } from '../../../app/api/readiness.ts'
import { oneAtATime } from '../../waiting/one-at-a-time.ts'
import type { RawHandler } from '../handler.ts'

export type RoleState = Readonly<z.input<typeof RoleStateShape>>

/** `/healthz`: the process answers. `/readyz`: 200 only when every role is ready (api-contract N13); no member data. */
export function createHealthHandler(ask: () => Promise<readonly RoleState[]>): RawHandler {
  const roles = oneAtATime(ask)
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== '/healthz' && pathname !== '/readyz') return null
    if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, NOT_ALLOWED, { Allow: 'GET, HEAD' })
    if (pathname === '/healthz') return json<z.input<typeof Alive>>(200, { ok: true })
    const states = await roles()
    const ready = states.every((state) => state.ready)
    return json<z.input<typeof Readiness>>(ready ? 200 : 503, { ready, roles: states })
  }
}

const NOT_ALLOWED = { error: 'Method not allowed' }

const json = <T extends object>(status: number, body: T, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
