import { PairId } from '../../domain/shared/ids.ts'
import { NOT_FOUND } from '../words.ts'
import type { Handler } from './handler.ts'
import { isOpenTo } from './rooms.ts'

/**
 * Joins a room that is open to the member; any other does not exist for them. Beyond its rooms a socket leaves the one that
 * it joined longest ago.
 */
export const joinRoom: Handler<'joinRoom'> = ({ roomId }, { connection, me, rights, head, roomsPerSocket }) => {
  const room = PairId.safeParse(roomId).data
  if (!room || !isOpenTo(room, me.member, rights)) return NOT_FOUND
  connection.rooms.delete(room)
  const [longest] = connection.rooms
  if (connection.rooms.size >= roomsPerSocket && longest) connection.rooms.delete(longest)
  connection.rooms.add(room)
  return { pos: head }
}
