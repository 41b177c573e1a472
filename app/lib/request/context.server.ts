import type { MemberId, SessionId } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Dispatch, LoadState } from '../../../eventstore/dispatch.ts'
import type { ProjectionOverview } from '../../../projections/engine/care/status.ts'
import type { HistoryReader } from '../../../projections/history/reader.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import type { Held } from '../words/held.ts'
import type { Services } from './services.server.ts'

/** Whose request this is: a session that is alive, and where the account stands. */
export type Viewer = {
  readonly member: MemberId
  readonly session: SessionId
  readonly status: 'active' | 'deactivated' | 'suspended'
  /** When the member last proved who they are (security T37). */
  readonly authAt: Date
}

/**
 * What one request may reach; the routes' only door to the world. `dispatch` notes the last position it wrote: the
 * answer waits for the read models and carries it on, so no action has to.
 */
export type RequestContext = Services & {
  readonly requestId: string
  readonly nonce: string
  readonly ip: string
  readonly dispatch: Dispatch
  /** As `dispatch`, for facts that no page of the caller shows: the answer does not wait for the read models. */
  readonly note: Dispatch
  readonly loadState: LoadState
  readonly read: ReadDb
  /** For auditors: what was and why. Whoever asks it records that. */
  readonly history: HistoryReader
  /** For developers: where every read model stands. */
  readonly readModels: () => Promise<ProjectionOverview[]>
  readonly now: () => Date
  /** Why no loader or action of this request may run. */
  readonly held?: Held
  /** The read models had not caught up with the caller's own last write in time. */
  readonly behind: boolean
  /** The place in the log that this request's reads show at least; where a page's live connection begins. */
  readonly shown: Position | null
  /** The session of the page's cookie; never looks at a bearer token. */
  viewer(): Promise<Viewer | null>
  /** The session of a bearer token; never looks at a cookie (api-contract §6.0). */
  bearer(): Promise<Viewer | null>
  /** The last position that this request wrote. */
  written(): Position | undefined
}

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
}
