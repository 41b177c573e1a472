import type { Position } from '../domain/shared/recorded.ts'

/**
 * What goes over the socket, both ways: JSON text frames (api-contract §6.8). Browser-safe: types and constants only;
 * the checks of what comes in are in `frames.ts`.
 */
export const REALTIME_PATH = '/realtime'

/** No, late, wrong or revoked credentials. */
export const SIGNED_OUT = 4401
/** The third bad frame within a minute. */
const BAD_FRAME = 4400
/** The member opened more sockets than are allowed; the oldest goes. */
const TOO_MANY_SOCKETS = 4409

/** Why a socket is closed. Pages take the constants: each byte of script is sent with every page. */
export const CloseCode = {
  badFrame: BAD_FRAME,
  signedOut: SIGNED_OUT,
  tooManySockets: TOO_MANY_SOCKETS,
  flood: 4429,
  /** The node stops, and another, or the next process, takes over; or it cannot be known for now who a socket is. */
  drain: 4500,
} as const

const FINAL: readonly number[] = [BAD_FRAME, SIGNED_OUT, TOO_MANY_SOCKETS]

/** False when coming back would meet the same refusal; any other end of a socket is followed by a new one. */
export function reconnectsAfter(code: number): boolean {
  return !FINAL.includes(code)
}

export const HEARTBEAT_MS = 25_000
/** Reconnecting: one second apart, with up to 20 % jitter (ruling R36). */
export const RECONNECT_MS = 1_000
export const RECONNECT_JITTER = 0.2
/** Ids remembered against doubles (spec 1 §9). */
export const NOTIFICATION_IDS = 150
export const MESSAGE_IDS = 300

/**
 * A chat message as both members' sockets get it (api-contract §6.8). `number` counts the messages of the pair, from 1 and without
 * a gap. Times are ISO.
 */
export type DirectMessage = {
  readonly id: string
  readonly roomId: string
  readonly from: string
  readonly to: string
  readonly number: number
  readonly text: string
  readonly media?: { readonly id: string; readonly url: string }
  readonly time: string
}

/** A row of the notifications centre as it stands when it is new (spec 2 §3). */
export type NotificationNews = {
  readonly id: string
  readonly type: string
  readonly subtype?: string
  readonly message: string
  readonly read: boolean
  readonly createdAt: string
  /** Relative, made by the server. */
  readonly href: string
  readonly fromId: string
}

/** Events from the log, by the spec's names: each has a position and is replayed after a gap. */
export type LiveEvents = {
  readonly match: { readonly otherUserId: string; readonly roomId: string }
  readonly notification: NotificationNews
  readonly buzz_request: { readonly fromId: string; readonly name: string }
  readonly 'direct:message': DirectMessage
  readonly 'message:read': { readonly roomId: string; readonly upTo: string }
  /** The member's own: on some page of theirs something was read or removed, or a buzz for them was taken back. */
  readonly 'unread:changed': { readonly of: 'messages' | 'notifications' }
  readonly 'room:closed': { readonly roomId: string }
}
export type EventName = keyof LiveEvents

/** Passing signals: no position, never replayed, dropped for a socket that is slow. */
export type LiveSignals = {
  readonly typing: { readonly roomId: string; readonly from: string; readonly on: boolean }
  readonly 'presence:online': { readonly userId: string }
  readonly 'presence:offline': { readonly userId: string }
}
export type SignalName = keyof LiveSignals

export type EventFrame<N extends EventName = EventName> = {
  [K in N]: {
    readonly type: 'event'
    readonly name: K
    /** The same for the same event and recipient, whenever it is sent. */
    readonly id: string
    readonly pos: Position
    readonly at: string
    readonly data: LiveEvents[K]
  }
}[N]

export type SignalFrame<N extends SignalName = SignalName> = {
  [K in N]: { readonly type: 'signal'; readonly name: K; readonly data: LiveSignals[K] }
}[N]

/** `gap`: older than what the node holds. `epoch`: of another log, or of before a set-back. `too-much`: more missed than is worth sending. */
export type ResyncReason = 'gap' | 'epoch' | 'too-much'

/** `ready.pos`: events after it follow. A heartbeat's `pos`: all up to it that is the member's has been sent. */
export type ServerFrame =
  | { readonly type: 'ready'; readonly userId: string; readonly pos: Position; readonly epoch: string }
  | EventFrame
  | SignalFrame
  | { readonly type: 'heartbeat'; readonly pos: Position; readonly now: number }
  | { readonly type: 'resync'; readonly reason: ResyncReason }
  | { readonly type: 'ack'; readonly id: string | null; readonly pos: Position }
  | {
      readonly type: 'error'
      /** The frame's id, or its type when it had none. */
      readonly for: string | null
      readonly error: string
      readonly code: string
      readonly retryInMs?: number
    }
  | { readonly type: 'bye'; readonly retryInMs: number }

/** What a browser may send, by name. */
export type ClientEvents = {
  readonly register: { readonly userId: string }
  readonly 'user:register': { readonly userId: string }
  readonly joinRoom: { readonly roomId: string }
  readonly leaveRoom: { readonly roomId: string }
  /** `id` is made by the sender and unique in the room; a repeat is the same message. */
  readonly 'direct:message': {
    readonly to: string
    readonly id: string
    readonly roomId: string
    readonly text?: string
    readonly mediaId?: string
  }
  readonly typing: { readonly roomId: string; readonly on: boolean }
}
export type ClientEventName = keyof ClientEvents
