import type { PairId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Ports } from '../../usecases/ports.ts'
import type { Connection, Identity } from '../connection.ts'
import type { HandledFrame } from '../frames.ts'
import type { Rights } from '../rights/rights.ts'
import type { SocketWords } from '../words.ts'

/** What a frame comes to: an ack with a position, an error, or nothing. */
export type Reply = { pos: Position } | (SocketWords & { retryInMs?: number }) | null

/** What a handler may reach. */
export type Handling = {
  readonly connection: Connection
  readonly me: Identity
  readonly rights: Rights
  readonly head: Position
  readonly roomsPerSocket: number
  readonly ports: Ports
  /** To the room's other member, wherever their sockets are. */
  readonly signalTyping: (room: PairId, on: boolean) => void
}

export type DataOf<T extends HandledFrame['type']> = Extract<HandledFrame, { type: T }>['data']
export type Handler<T extends HandledFrame['type']> = (data: DataOf<T>, handling: Handling) => Reply | Promise<Reply>
