import type { HandledFrame } from '../frames.ts'
import { directMessage } from './direct-message.ts'
import type { Handler, Handling, Reply } from './handler.ts'
import { joinRoom } from './join-room.ts'
import { leaveRoom } from './leave-room.ts'
import { register } from './register.ts'
import { typing } from './typing.ts'

const handlers: { readonly [T in HandledFrame['type']]: Handler<T> } = {
  register,
  'user:register': register,
  joinRoom,
  leaveRoom,
  'direct:message': directMessage,
  typing,
}

/** What a frame of an authenticated socket comes to. */
export function handle<T extends HandledFrame['type']>(
  frame: Extract<HandledFrame, { type: T }>,
  handling: Handling,
): Reply | Promise<Reply> {
  const handler = handlers[frame.type as T] as Handler<T>
  return handler(frame.data as Parameters<Handler<T>>[0], handling)
}
