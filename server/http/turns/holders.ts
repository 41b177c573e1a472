import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { cookieIn } from '../../../app/request/cookie.server.ts'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { minutes } from '../../../domain/shared/dates.ts'
import { VOUCHED_EACH } from '../connections.ts'

/** Tokens that are remembered; of one holder as many as of its connections. */
const TOKENS = 10_000
/** Since it was last seen alive. */
const KEPT_MS = minutes(10)
const LONGEST = 512

type Known = { readonly holder: string; readonly until: number }
export type HolderOptions = { readonly tokens?: number; readonly each?: number; readonly now?: () => number }

/**
 * Whose tokens were alive when they were last looked up, so that a request is known for a member's before anything is asked
 * of the database, over whatever connection it came: a proxy sends the requests of many over one. A keyed hash of each is
 * kept, and forgotten once a look finds the token dead.
 */
export class Holders {
  private readonly key = randomBytes(32)
  /** Longest unused first. */
  private readonly known = new Map<string, Known>()
  private readonly byHolder = new Map<string, Set<string>>()
  private readonly tokens: number
  private readonly each: number
  private readonly now: () => number

  constructor({ tokens = TOKENS, each = VOUCHED_EACH, now = () => performance.now() }: HolderOptions = {}) {
    this.tokens = tokens
    this.each = each
    this.now = now
  }

  /** Who was vouched for by a token that the request shows. */
  of({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    for (const token of tokensIn(headers)) {
      const known = this.known.get(this.hash(token))
      if (known && this.now() < known.until) return known.holder
    }
    return undefined
  }

  note(token: string, holder: string): void {
    if (token.length > LONGEST) return
    const hash = this.hash(token)
    this.forget(hash)
    const own = this.byHolder.get(holder) ?? new Set()
    this.byHolder.set(holder, own.add(hash))
    this.known.set(hash, { holder, until: this.now() + KEPT_MS })
    if (own.size > this.each) this.forget(own.values().next().value!)
    if (this.known.size > this.tokens) this.forget(this.known.keys().next().value!)
  }

  /** A look found it dead. */
  drop(token: string): void {
    this.forget(this.hash(token))
  }

  private forget(hash: string): void {
    const holder = this.known.get(hash)?.holder
    if (holder === undefined) return
    this.known.delete(hash)
    const own = this.byHolder.get(holder)
    own?.delete(hash)
    if (own?.size === 0) this.byHolder.delete(holder)
  }

  private hash(token: string): string {
    return createHmac('sha256', this.key).update(token).digest('base64url')
  }
}

/** What may be a session, without a look whether it counts for the address that is asked. */
function tokensIn({ cookie = '', authorization = '' }: IncomingMessage['headers']): string[] {
  const bearer = /^Bearer +([\w-]+)$/i.exec(authorization.slice(0, LONGEST))?.[1]
  const shown = [bearer, cookieIn(cookie, SESSION_COOKIE)]
  return shown.filter((token): token is string => Boolean(token) && token!.length <= LONGEST)
}
