import type { MediaId, MemberId, SessionId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { Dispatch, IsRepeat, LoadState } from '../eventstore/dispatch.ts'
import type { ProjectionOverview } from '../projections/engine/care/status.ts'
import type { HistoryReader } from '../projections/history/reader.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { Addresses } from '../services/addresses.ts'
import type { Codes } from '../services/codes.ts'
import type { Credentials } from '../services/credentials.ts'
import type { Erasure } from '../services/erasure.ts'
import type { Exports } from '../services/export/exports.ts'
import type { Google } from '../services/google.ts'
import type { Idempotency } from '../services/idempotency.ts'
import type { KeptBlocks } from '../services/kept-blocks.ts'
import type { Limits } from '../services/limits/limits.ts'
import type { CodeGuard, LoginGuard } from '../services/limits/login-guard.ts'
import type { Mailer } from '../services/mailer.ts'
import type { ToDisk } from '../services/media/drafts.ts'
import type { MediaLinks } from '../services/media/links.ts'
import type { MediaFiles } from '../services/media/media.ts'
import type { Positions } from '../services/nearby/positions.ts'
import type { Towns } from '../services/nearby/towns.ts'
import type { Owed } from '../services/owed.ts'
import type { CheckPassword } from '../services/password-policy.ts'
import type { Passwords } from '../services/passwords.ts'
import type { SecondFactor } from '../services/second-factor/second-factor.ts'
import type { UndoLinks } from '../services/second-factor/undo-links.ts'
import type { Challenges } from '../services/sessions/challenges.ts'
import type { ProgramDevice } from '../services/sessions/program-device.ts'
import type { Sessions } from '../services/sessions/sessions.ts'
import type { Tickets } from '../services/sessions/tickets.ts'
import type { SignupProofs } from '../services/signup-proofs.ts'
import type { TurnedAway } from '../services/turned-away.ts'

/** The settings that pages and calls may know. */
export type AppConfig = {
  readonly mode: 'local' | 'production'
  /** Origin without a slash at its end. */
  readonly publicUrl: string
  /** Code points of the shortest password. */
  readonly passwordMin: number
  /** Signing in with the provider is set up. */
  readonly google: boolean
}

/** Who is online, as far as they show it; a node that serves no sockets knows of the others by the bus. */
export type Presence = { isOnline(member: MemberId): boolean }

/** Everything a request may use that is not the log and not a read model. */
export type Services = {
  readonly sessions: Sessions
  readonly challenges: Challenges
  readonly secondFactor: SecondFactor
  readonly undoLinks: UndoLinks
  readonly programDevice: ProgramDevice
  readonly tickets: Tickets
  readonly addresses: Addresses
  readonly credentials: Credentials
  readonly owed: Owed
  readonly passwords: Passwords
  readonly checkPassword: CheckPassword
  readonly codes: Codes
  /** Null where it is not set up. */
  readonly google: Google | null
  readonly proofs: SignupProofs
  readonly minors: TurnedAway
  readonly barred: TurnedAway
  readonly keptBlocks: KeptBlocks
  readonly limits: Limits
  readonly idempotency: Idempotency
  readonly erasure: Erasure
  readonly exports: Exports
  readonly loginGuard: LoginGuard
  readonly codeGuard: CodeGuard
  readonly mailer: Mailer
  readonly media: MediaFiles
  readonly mediaLinks: MediaLinks
  readonly positions: Positions
  readonly towns: Towns
  readonly presence: Presence
  readonly config: AppConfig
  /** 24 characters of 0-9 and a-z, random. */
  readonly newId: () => string
  /** True once the read models have seen the position; false when that took too long. */
  readonly caughtUp: (position: Position, models?: readonly string[]) => Promise<boolean>
  /** The same of all that is in the log at this moment. */
  readonly upToDate: (models?: readonly string[]) => Promise<boolean>
}

/** What tier, checks and consent open to a member. Restricted modes stay shut without all three (spec 1 §4). */
export type Entitlements = { readonly restricted: boolean }
/** The member who acts. */
export type Who = { readonly member: MemberId; readonly entitlements: Entitlements }

/** Whose request this is: a session that is alive, and the status of its account. */
export type Viewer = Who & {
  readonly session: SessionId
  readonly status: 'active' | 'deactivated' | 'suspended'
  /** When the member last proved who they are (security T37). */
  readonly authAt: Date
}

/** What the badges of every page count: unread messages, unread buzzes, unread notifications in all (spec 2 §2). */
export type Badges = { readonly chat: number; readonly buzzes: number; readonly notifications: number }
/** Who is behind a session, and what the frame around every page shows of them; null without a profile. */
export type SignedInMember = {
  readonly who: Viewer
  readonly frame: { readonly firstName: string; readonly avatar: MediaId | null; readonly badges: Badges } | null
}
/**
 * Finds whose session a token belongs to: session, account, entitlements and badges in one look. null for a token that
 * opens nothing. `withFrame: false` leaves the badges uncounted.
 */
export type ReadActing = (token: string, options: { withFrame: boolean }) => Promise<SignedInMember | null>

/** What a use case may reach. A page, a call, a socket, a reactor and a tool bring the same. */
export type Ports = Services & {
  readonly requestId: string
  readonly ip: string
  readonly dispatch: Dispatch
  /** As `dispatch`, for facts that no page of the caller shows: the answer does not wait for the read models. */
  readonly note: Dispatch
  readonly loadState: LoadState
  readonly isRepeat: IsRepeat
  readonly read: ReadDb
  /** For auditors: what was and why. Whoever asks it records that. */
  readonly history: HistoryReader
  /** For developers: the state of every read model. */
  readonly readModels: () => Promise<ProjectionOverview[]>
  readonly now: () => Date
  /** Ends when whoever asks has left, to whom nobody can answer any more; absent where that is not known. */
  readonly left?: AbortSignal
  /** Asked before bytes that were sent go to disk; absent where nobody sends any. */
  readonly toDisk?: ToDisk
  /** Of the browser or program that asks, as a sign-in knows it; absent where nobody asks from one. */
  readonly device?: () => Promise<string | undefined>
  /** Logs a failure that the caller's answer does not wait for; never its data. */
  readonly reportError?: (error: unknown) => void
}

/** The same for a member who acts. Read once per request; a socket brings it for each message. */
export type Acting = Ports & {
  readonly who: Who
  /** A program that sends a command again wants its first outcome; a person who presses an old form wants it done. */
  readonly retries?: true
}
/** The same on a session, for what asks who signed in and when. */
export type SignedIn = Ports & { readonly who: Viewer }
