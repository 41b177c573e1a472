/** How a browser sends a report of the policy. */
export const REPORT = 'application/csp-report'

/** The type of a body without its parameters, however it is written; empty without one. */
export function contentTypeOf({ headers }: Request): string {
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';', 1)
  return type.trim().toLowerCase()
}
