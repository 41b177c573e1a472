import { pairIdOf } from '../../domain/shared/ids.ts'
import { type Handler, INVALID, NOT_FOUND } from './handler.ts'

/** Reasons that would tell one of the two what the other did. */
const TELLING = new Set(['blocked', 'closed'])

/** Stored before it is acknowledged; both members' sockets get it from the log, like any message. */
export const directMessage: Handler<'direct:message'> = async (data, { me, sendMessage }) => {
  const { to, id, roomId, text = '', mediaId = null } = data
  if (to === me.member) return INVALID
  if (roomId !== pairIdOf(me.member, to)) return NOT_FOUND
  const sent = await sendMessage(me.member, { to, id, text, media: mediaId })
  if (sent.ok) return { pos: sent.position }
  const { ok: _ok, ...refused } = sent
  return TELLING.has(refused.code) ? { ...refused, code: 'not-matched' } : refused
}
