import type { IncomingMessage } from 'node:http'

/** How a browser sends a report of the policy. */
export const REPORT = 'application/csp-report'

/** How a browser sends a form with files. */
export const FORM_WITH_FILES = 'multipart/form-data'

/** The type of a body without its parameters, however it is written; empty without one. */
export const contentTypeOf = ({ headers }: Request): string => typeIn(headers.get('Content-Type'))

function typeIn(header: string | null | undefined): string {
  const [type = ''] = (header ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Whether the body is a form with files, by its headers. */
export const bringsFiles = ({ headers }: IncomingMessage) => typeIn(headers['content-type']) === FORM_WITH_FILES
