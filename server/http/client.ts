import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readUrl } from '../../domain/shared/read-url.ts'
import { plainAddress } from '../../services/limits/network.ts'
import type { ToDisk } from '../../services/media/drafts.ts'
import { makeNonce } from './entry/nonce.ts'
import type { SecurityEvent } from './security-events.ts'

/** Who asks, by the connection alone. */
export type Client = {
  /** The peer's address; the one the proxy saw, behind a trusted proxy. */
  ip: string
  requestId: string
  /** One per answer, for the Content-Security-Policy and the inline scripts. */
  nonce: string
  /** The origin this request came in under, or null when the Host is not one of ours. */
  origin: string | null
  /** A proxy or a tunnel sent it on, for anybody; by its headers as they came, before any of them is taken away. */
  isForwarded: boolean
  /**
   * A live session or proof of this member or visitor came over this connection: under a flood it is not the first to go.
   * With the token of a session, other requests that show it are in line as this member's.
   */
  vouch?: (holder: string, token?: string | null) => void
  /** A session that was looked up is dead. */
  foundDead?: (token: string) => void
  /** So many bytes of what it brings go to disk, and are in memory no more; false where they are too many beside others. */
  toDisk?: ToDisk | undefined
  /** Filled in while it is answered; hashed before it is logged. */
  watched?: Watched
  /** Ends when whoever asks has left, also where what they sent is done all the same. */
  left?: AbortSignal | undefined
  /** Its last bytes had come before anything was asked for it. */
  arrivedWhole?: () => boolean
}

/**
 * What one request came to for whoever watches over the site: whose it is, by account or member, whether it brought a live
 * session, whether it waits for a second factor, the pattern of the call that it asks for, and what else happened.
 */
export type Watched = {
  who: string | null
  cameSignedIn: boolean
  challenged: boolean
  call: string | null
  readonly kinds: SecurityEvent[]
}

export type SiteOptions = {
  mode: 'local' | 'production'
  /** The public address, for example `https://letsbuzz.example`. */
  publicUrl: string
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are believed (ASVS 4.1.3). */
  trustProxy: boolean
  /** The address the port is bound to; a loopback one narrows local mode to loopback names. */
  host: string
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.\d+){3}$/.test(hostname)
}

function forwarded(incoming: IncomingMessage, name: string, site: SiteOptions): string | undefined {
  if (!site.trustProxy) return undefined
  const value = incoming.headers[name]
  // The last entry is the one our own proxy wrote; those before it are the visitor's word.
  const last = String(value ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last === '' ? undefined : last
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** The address alone: some proxies write the port, which is another for each connection. */
function addressIn(entry: string): string {
  const bare = /^\[(.*)\](:\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1')
  return plainAddress(bare)
}

/** The origin of ours that a Host names, or null: a page under another name must not speak for us (DNS rebinding). */
function ownOrigin(host: string | undefined, protocol: string, site: SiteOptions): string | null {
  const asked = host === undefined ? null : readUrl(`${protocol}//${host}`)
  if (!asked) return null
  const own = new URL(site.publicUrl)
  if (asked.host === own.host) return own.origin
  if (site.mode === 'production') return null
  return isLoopback(asked.hostname) || !isLoopback(site.host) ? asked.origin : null
}

/** Reads the connection and the forwarded headers into a client. */
export function clientOf(incoming: IncomingMessage, site: SiteOptions): Client {
  const proto = forwarded(incoming, 'x-forwarded-proto', site) === 'https' ? 'https:' : 'http:'
  const host = forwarded(incoming, 'x-forwarded-host', site) ?? incoming.headers.host
  const peer = incoming.socket.remoteAddress ?? ''
  return {
    ip: addressIn(forwarded(incoming, 'x-forwarded-for', site) ?? peer),
    requestId: randomUUID(),
    nonce: makeNonce(),
    origin: ownOrigin(host, proto, site),
    isForwarded: FORWARDED.some((name) => incoming.headers[name] !== undefined),
  }
}
