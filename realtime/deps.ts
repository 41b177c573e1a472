import type { MemberId, SessionId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { Codec } from '../eventstore/codec.ts'
import type { Spending } from '../services/limits/spending.ts'
import type { Ports } from '../usecases/ports.ts'
import type { Bus } from './bus.ts'
import type { CountSockets } from './capped-sockets.ts'
import type { Identity } from './connection.ts'
import type { Hub } from './hub.ts'
import type { RealtimeLimits } from './limits.ts'
import type { Names } from './pushes/push.ts'
import type { ReadRooms } from './rights/erased-rooms.ts'
import type { ReadRights } from './rights/loader.ts'
import type { EventSource } from './source.ts'

/**
 * Who a socket is, or null: unknown, expired or revoked credentials, and accounts that are not active. Asked once for
 * each socket; from then on the node follows the log, and looks now and then whether the session is there.
 */
export type Authenticate = {
  /** How many milliseconds an upgrade has to wait before it is taken, or null. */
  waitOf(upgrade: Upgrade): Promise<number | null>
  /** A socket ended because it sent too much: counts as many more of its member, or of the strangers of its network. */
  flooded(upgrade: Upgrade, member?: MemberId): Promise<void>
  /** The session of the upgrade request's `Cookie` header. */
  cookie(header: string): Promise<Identity | null>
  /** A session's bearer token, or a short-lived ticket. `throttled`: it was not looked at. */
  token(value: string, network: string): Promise<Identity | 'throttled' | null>
}

/** What an upgrade shows: its `Cookie` header, the network it comes from, and whether a page of another site sent it. */
export type Upgrade = { readonly cookie: string | undefined; readonly network: string; readonly isForeign: boolean }

export type FollowerDeps = {
  readonly source: EventSource
  readonly codec: Pick<Codec, 'decode'>
  /** What the read models know of members who come, and where these models are. */
  readonly readRights: ReadRights
  /** What the read models know of rooms that end with an erasure. */
  readonly readRooms: ReadRooms
  /** First names of members; who is gone has none. */
  readonly namesOf: (members: readonly MemberId[]) => Promise<Names>
  /** A line of the program's log; never personal data. */
  readonly logLine: (line: string) => void
  readonly limits: RealtimeLimits
  readonly hub: Pick<Hub, 'deliver' | 'signOut' | 'reload'>
  readonly visibilityChanged: (member: MemberId) => void
  /** The member has been sent that the other is a match. */
  readonly matched: (member: MemberId, other: MemberId) => void
  /** The log has events of a later release, without which this node knows nobody's rights any more. */
  readonly outdated: () => void
}

type FollowersOwn = 'source' | 'codec' | 'readRights' | 'readRooms' | 'namesOf' | 'logLine'

/** What a node needs; `server` brings it. */
export type RealtimeDeps = Pick<FollowerDeps, FollowersOwn> & {
  readonly authenticate: Authenticate
  /** Notes whom it refuses: without a session, from a foreign page, or beyond a limit. */
  readonly refused?: (why: 'denied' | 'limit-hit', upgrade: Upgrade, member?: MemberId) => void
  /** For the use cases that sockets call. */
  readonly ports: Ports
  /** Whether matches may see that the member is online, as of a position at least; rejects where that is not known yet. */
  readonly showsPresence: (member: MemberId, asOf: Position) => Promise<boolean>
  /** Those of these sessions that have neither been ended nor ended by themselves; rejects where that cannot be looked up. */
  readonly sessionsThere: (sessions: readonly SessionId[]) => Promise<readonly SessionId[]>
  /** In how many milliseconds what failed so may work; undefined where no wait helps, as by default. */
  readonly retryInMs?: (error: unknown) => number | undefined
  /** Origins of pages that may connect, where the web server does not name its own for the request. */
  readonly origins: () => readonly string[]
  /** Default: nodes of this process alone. */
  readonly bus?: Bus
  /** Default: the sockets of this node. */
  readonly countSockets?: CountSockets | undefined
  /** What other nodes have sent again to whom. Default: none. */
  readonly replays?: Spending | undefined
  /** How many frames members have sent to other nodes. Default: none. */
  readonly frames?: Spending | undefined
  readonly now: () => Date
  readonly limits?: Partial<RealtimeLimits>
}

/** What a node is doing, in numbers. */
export type RealtimeStats = {
  readonly sockets: number
  readonly members: number
  readonly head: string
  readonly floor: string
  readonly ringEntries: number
  readonly ringBytes: number
  readonly delivered: number
  readonly replayed: number
  readonly resumed: number
  readonly resyncs: number
  readonly slow: number
  readonly signalsDropped: number
  readonly badFrames: number
  readonly floods: number
  readonly skipped: number
  /** Members whose rights are in memory, and accounts that these depend on. */
  readonly rightsMembers: number
  readonly rightsAccounts: number
}
