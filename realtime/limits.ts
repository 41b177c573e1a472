import { HEARTBEAT_MS } from './protocol.ts'

/** What a socket, a member and a node may use (api-contract §6.8). Times in milliseconds, sizes in bytes. */
export type RealtimeLimits = typeof LIMITS

export const LIMITS = {
  /** The longest message has room in it, also where each of its characters is written as two escapes of JSON. */
  frameBytes: 64 * 1024,
  /** A frame counts as one for each of so many bytes that it begins. */
  frameStepBytes: 16 * 1024,
  /** All that a socket sends before it is signed in. */
  strangerBytes: 16 * 1024,
  /** Of frames that wait until those before them are answered: above it nothing more is read of the socket meanwhile. */
  waitingBytes: 128 * 1024,
  /** Pieces in which the network brings one frame. */
  framePieces: 256,
  /** How long a socket may take to send what shows who it is. */
  authMs: 5_000,
  /** When whoever cannot be taken for now is to come again. */
  retryInMs: 2_000,
  heartbeatMs: HEARTBEAT_MS as number,
  /** How often it is looked whether the sessions of open sockets are there. */
  sessionsEveryMs: 15_000,
  socketsPerMember: 10,
  socketsPerNode: 20_000,
  /** Sockets that are not signed in yet. */
  strangersPerNode: 2_000,
  strangersPerNetwork: 100,
  /** Queued for one socket: above it the socket is cut, and resumes. */
  queuedBytes: 1024 * 1024,
  /** Queued for one socket: above it signals are left out. */
  signalBytes: 64 * 1024,
  badFramesPerMinute: 3,
  framesPerSecond: 20,
  frameBurst: 60,
  /** Of a member by all their sockets. One who types in a tab sends one a second; a tab that comes back sends a few. */
  memberFramesPerSecond: 20,
  memberFrameBurst: 300,
  registersPerMinute: 5,
  /** Frames of an open socket. What any resume may cost has its limit in `replayBytesPerMinute`. */
  resumesPerMinute: 30,
  roomsPerMinute: 60,
  typingPerSecond: 1,
  roomsPerSocket: 50,
  replayItems: 5_000,
  replayBytes: 768 * 1024,
  /** For one member: above it a page loads again. */
  replayBytesPerMinute: 4 * 1024 * 1024,
  /** What the ring holds: all that is younger, and this many at least. */
  ringMs: 10 * 60_000,
  ringEvents: 50_000,
  /** What the ring never exceeds, whatever the other limits allow. */
  ringBytes: 128 * 1024 * 1024,
  /** How far back a starting node reads for it, beyond what is younger. */
  fillEvents: 2_000,
  /** How far back it begins: the rest is read once it takes sockets, when somebody waits for it or after so long. */
  startEvents: 200,
  fillAfterMs: 1_000,
  /** How long a socket waits until it is known who it is, and until it is known what its member may see; it comes back for another try. */
  rightsWithinMs: 10_000,
  /** How long the rights of a member are kept after the last socket, and of how many at most. */
  rightsIdleMs: 60_000,
  rightsIdle: 5_000,
  /** Changes of rights that a node remembers, for read models that are behind it. */
  rightsChanges: 20_000,
  /** Accounts that went away, which a node remembers as long as its ring reaches back. */
  absences: 10_000,
  /** Erasures that are looked at for one socket that resumes: above it a page loads again. */
  erasuresLookedAt: 100,
  /** Rooms with them that a node keeps in memory, so that it asks once for all sockets: above it pages load again. */
  erasedRooms: 200_000,
  /** Events that a starting node reads at most for the sake of rooms that are behind. */
  roomsEvents: 50_000,
  /** After so long it is asked again how far rooms are that were too far behind. */
  roomsAgainMs: 1_000,
  /** Pushes that may wait for a look-up before the node reads on. */
  pushesWaiting: 10_000,
  /** How long a member who is gone from all sockets still counts as online. */
  offlineAfterMs: 5_000,
}

type Limits = RealtimeLimits
export const memberCaps = ({ socketsPerMember }: Limits) => ({ perGroup: socketsPerMember, total: Infinity })
export const strangerCaps = ({ strangersPerNetwork, strangersPerNode }: Limits) => ({
  perGroup: strangersPerNetwork,
  total: strangersPerNode,
})
