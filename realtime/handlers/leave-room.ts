import { PairId } from '../../domain/shared/ids.ts'
import { type Handler, NOT_FOUND } from './handler.ts'

export const leaveRoom: Handler<'leaveRoom'> = ({ roomId }, { connection, me, head }) => {
  const room = PairId.safeParse(roomId).data
  if (!room?.split('_').includes(me.member)) return NOT_FOUND
  connection.rooms.delete(room)
  return { pos: head }
}
