import type { Client } from './client.ts'

export type PolicyOptions = {
  /** Origins a form may be sent to besides our own: the sign-in provider's, for its redirect. */
  formActions?: readonly string[]
  /** Under the development server styles are injected and modules are reloaded. */
  dev?: boolean
}

const HSTS_SECONDS = 365 * 24 * 60 * 60
const OFF = ['accelerometer', 'display-capture', 'gyroscope', 'magnetometer', 'midi', 'payment', 'usb']
/** For the recorders, the place, and films that play as large as the screen. */
const OWN = ['camera', 'microphone', 'geolocation', 'autoplay', 'fullscreen']
const PERMISSIONS = [...OWN.map((name) => `${name}=(self)`), ...OFF.map((name) => `${name}=()`)].join(', ')

/** The policy of a document (security §3.2). */
function documentPolicy({ nonce, origin }: Client, { formActions = [], dev = false }: PolicyOptions): string {
  const sockets = origin ? ` ${origin.replace(/^http/, 'ws')}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${sockets}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    `form-action ${["'self'", ...formActions].join(' ')}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    'report-uri /csp-report',
  ].join('; ')
}

/** The policy of everything that is no page: data and media opened by themselves run nothing. */
const INERT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** The policy of the script that answers without network: it reads what it keeps, and runs nothing else. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The headers every answer carries, errors included, whatever made it. */
export function securityHeaders(): Record<string, string> {
  return {
    'Content-Security-Policy': INERT_POLICY,
    'Strict-Transport-Security': `max-age=${HSTS_SECONDS}; includeSubDomains`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
  }
}

const SECURITY_HEADERS = Object.entries(securityHeaders())

/** Adds the security headers to an answer, in place; documents and data are never stored. */
export function secure(answer: Response, client: Client, policy: PolicyOptions): Response {
  const response = changeable(answer)
  const { headers } = response
  const isDocument = headers.get('Content-Type')?.startsWith('text/html') ?? false
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value)
  if (isDocument) headers.set('Content-Security-Policy', documentPolicy(client, policy))
  if (headers.has('Service-Worker-Allowed')) headers.set('Content-Security-Policy', WORKER_POLICY)
  if (isDocument || !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Request-Id', client.requestId)
  return response
}

/** The headers of `Response.redirect` and of an answer that was fetched cannot be changed. */
function changeable(response: Response): Response {
  try {
    response.headers.delete('X-Request-Id')
    return response
  } catch {
    const { status, statusText } = response
    return new Response(response.body, { status, statusText, headers: new Headers(response.headers) })
  }
}
