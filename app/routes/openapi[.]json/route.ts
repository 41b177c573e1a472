import type { LoaderFunctionArgs } from '@remix-run/node'
import { openApi } from '../../api/openapi.server.ts'
import { refusalResponse } from '../../api/refusal.server.ts'
import { requireLocal } from '../../request/guards.server.ts'

/** The description of `/api`; not given out in production (ASVS 13.4.5). */
export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return Response.json(openApi(context.config))
}

export function action({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return refusalResponse({ ok: false, status: 405, error: 'Method not allowed' }, { headers: { Allow: 'GET, HEAD' } })
}
