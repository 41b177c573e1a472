import type { MediaId, MemberId, MessageId, PairId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Connection, Identity } from '../connection.ts'
import type { HandledFrame } from '../frames.ts'
import type { Rights } from '../rights.ts'

export type OutgoingMessage = { to: MemberId; id: MessageId; text: string; media: MediaId | null }
/** `error` is what the sender reads, `code` the reason. */
export type SendRefused = { ok: false; error: string; code: string; retryInMs?: number }
/** The one way to send a message, shared with the form and the call; stored when it resolves. */
export type SendMessage = (
  member: MemberId,
  message: OutgoingMessage,
) => Promise<{ ok: true; position: Position } | SendRefused>

/** What a frame comes to: an ack with a position, an error, or nothing. */
export type Reply = { pos: Position } | Omit<SendRefused, 'ok'> | null

/** What a handler may reach. */
export type Handling = {
  readonly connection: Connection
  readonly me: Identity
  readonly rights: Rights
  readonly head: Position
  readonly roomsPerSocket: number
  readonly sendMessage: SendMessage
  /** To the room's other member, wherever their sockets are. */
  readonly signalTyping: (room: PairId, on: boolean) => void
}

export type DataOf<T extends HandledFrame['type']> = Extract<HandledFrame, { type: T }>['data']
export type Handler<T extends HandledFrame['type']> = (data: DataOf<T>, handling: Handling) => Reply | Promise<Reply>

export const NOT_FOUND = { error: 'Not found', code: 'not_found' } as const
export const INVALID = { error: 'Invalid request.', code: 'invalid' } as const
export const TOO_MANY = { error: 'Too many requests. Please try again later.', code: 'rate' } as const
