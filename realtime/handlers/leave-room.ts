import { PairId } from '../../domain/shared/ids.ts'
import { NOT_FOUND } from '../words.ts'
import type { Handler } from './handler.ts'

export const leaveRoom: Handler<'leaveRoom'> = ({ roomId }, { connection, me, head }) => {
  const room = PairId.safeParse(roomId).data
  if (!room?.split('_').includes(me.member)) return NOT_FOUND
  connection.rooms.delete(room)
  return { pos: head }
}
