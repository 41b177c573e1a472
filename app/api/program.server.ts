import { z } from 'zod'
import type { RequestContext } from '../request/context.server.ts'
import { deviceLabel } from '../request/session-cookie.server.ts'
import { Self } from './shapes.ts'

/** What a sign-in answers a program. */
export const Session = z.object({ token: z.string(), user: Self })

const PRODUCT_MAX = 40

/** What a program calls itself, without its release. */
const productOf = (request: Request): string =>
  (/^[\w.-]+/.exec(request.headers.get('User-Agent') ?? '')?.[0] ?? '').slice(0, PRODUCT_MAX)

/** Who calls keeps no cookie of a device. */
export function programOf({ programDevice, ip }: Pick<RequestContext, 'programDevice' | 'ip'>, request: Request) {
  const label = deviceLabel(request)
  return { label, device: programDevice({ label, product: productOf(request), ip }) }
}
