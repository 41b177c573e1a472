import type { RawHandler } from '../handler.ts'

/** One role and whether it does its work; `lag` where it follows the log. */
export type RoleState = {
  readonly role: string
  readonly ready: boolean
  readonly lag?: { readonly events: number | null; readonly seconds: number | null }
  readonly detail?: readonly {
    readonly name: string
    readonly events: number | null
    readonly seconds: number | null
    /** New tables fill behind those that readers see. */
    readonly filling?: boolean
    /** Newer code feeds what readers see. */
    readonly outdated?: boolean
    /** Unavailable on purpose. */
    readonly paused?: boolean
  }[]
}

/** `/healthz`: the process answers. `/readyz`: 200 only when every role is ready (api-contract N13); no member data. */
export function createHealthHandler(roles: () => Promise<readonly RoleState[]>): RawHandler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/healthz') return json(200, { ok: true })
    if (pathname !== '/readyz') return null
    const states = await roles()
    const ready = states.every((state) => state.ready)
    return json(ready ? 200 : 503, { ready, roles: states })
  }
}

const json = (status: number, body: object) => Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
