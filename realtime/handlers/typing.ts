import { NOT_FOUND } from '../words.ts'
import type { Handler } from './handler.ts'
import { isOpenTo } from './rooms.ts'

/** Passed on, never stored; no answer but to who has no right to the room. */
export const typing: Handler<'typing'> = ({ roomId, on }, { me, rights, signalTyping }) => {
  if (!isOpenTo(roomId, me.member, rights)) return NOT_FOUND
  signalTyping(roomId, on)
  return null
}
