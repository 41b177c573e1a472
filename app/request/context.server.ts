import type { Position } from '../../domain/shared/recorded.ts'
import type { Ports, Viewer } from '../../usecases/ports.ts'
import type { Unavailable } from '../words/unavailable.ts'

/** What a member brings back to the page of this path, as it was sent when a session was over. */
export type Brought = { readonly path: string; readonly fields: readonly (readonly [string, string])[] }

/**
 * What one request may reach; routes reach nothing else. `dispatch` notes the last position it wrote: the
 * answer waits for the read models and carries it on, so no action has to.
 */
export type RequestContext = Ports & {
  readonly nonce: string
  /** Notes the pattern of the call that the request asks for. */
  readonly atCall?: (pattern: string) => void
  /** Its last bytes had come before anything was looked up for it; known once something was. */
  arrivedWhole?(): boolean
  /** Why no loader or action of this request may run. */
  readonly unavailable?: Unavailable
  /**
   * Waits, not for long, until the read models show the last position that the caller knows of. Before a write too: what it
   * is about may have come by a push, ahead of the read model that is asked who may do it.
   */
  catchUp(): Promise<void>
  /** The read models had not caught up with the caller's own last write in time. */
  behind(): boolean
  /** The position in the log that this request's reads show at least; where a page's live connection begins. */
  shown(): Position | null
  /** The life of the log that `shown` is of. */
  epoch(): string | undefined
  /** The page to come back to after signing in, or null. */
  readonly returnTo: string | null
  /** What this member typed on this page when a session was over, and sent without script. */
  carried(): Promise<Brought | null>
  /** What `carried` found, if anything, is of no more use. */
  carriedOver(): boolean
  /** The page's cookie names a session, which may have ended; not while its browser signs out. */
  cameSignedIn(): Promise<boolean>
  /** The session of the page's cookie; never looks at a bearer token. */
  viewer(): Promise<Viewer | null>
  /** The session of a bearer token; never looks at a cookie (api-contract §6.0). */
  bearer(): Promise<Viewer | null>
  /** `viewer` and `bearer` are looked up once; after this, once more, as they are by then. */
  lookAgain(): void
  /** The last position that this request wrote. */
  written(): Position | undefined
  /**
   * The position that an answer of this status has: the last that was written; where a command wrote nothing, or was refused
   * and is answered as done, the log's last, since another would show what somebody else did (ruling R5).
   */
  positionFor(status: number): Promise<Position | undefined>
  /** The read models that show what was written, and those that were behind what the caller had seen before. */
  showing(): readonly string[]
}

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
}
