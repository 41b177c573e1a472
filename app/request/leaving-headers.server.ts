import { ENDED_COOKIES, expired } from './cookie.server.ts'
import { flowsOf } from './google.server.ts'

/**
 * What an answer removes from the browser whose session it ends (spec 2 §4): drafts, unsent messages, pictures, and what cookies
 * have of the member. The browser stays known, or the guesses of others would shut its owner out (security A7, decision 0046).
 */
export function leavingHeaders(request: Request): Headers {
  return withExpired('"cache", "storage"', endedOf(request))
}

/** The same where the account ends: nothing is left to be shut out of. */
export function deletedHeaders(request: Request): Headers {
  return withExpired('"cache", "storage", "cookies"', [...endedOf(request), expired('__Host-device')])
}

const endedOf = (request: Request) => [...ENDED_COOKIES.map(expired), ...flowsOf(request)]

function withExpired(cleared: string, cookies: readonly string[]): Headers {
  const headers = new Headers({ 'Clear-Site-Data': cleared })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return headers
}
