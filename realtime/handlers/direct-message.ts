import { randomUUID } from 'node:crypto'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { actingAs } from '../../usecases/acting.ts'
import { sendMessage } from '../../usecases/chat/send-message.ts'
import { INVALID, MESSAGE_WORDS, NOT_FOUND } from '../words.ts'
import type { Handler } from './handler.ts'

/** Stored before it is acknowledged; both members' sockets get it from the log, like any message. */
export const directMessage: Handler<'direct:message'> = async (data, { me, ports, rights }) => {
  const { to, id, roomId, text = '', mediaId = null } = data
  if (to === me.member) return INVALID
  if (roomId !== pairIdOf(me.member, to)) return NOT_FOUND
  const acting = actingAs({ ...ports, requestId: randomUUID() }, me.member)
  const outcome = await sendMessage(acting, { to, id, text, media: mediaId, roomIsOpen: rights.open(me.member, to) })
  if (outcome.ok) return { pos: outcome.value.position }
  const { reason, retryInMs } = outcome
  return { ...MESSAGE_WORDS[reason], ...(retryInMs !== undefined && { retryInMs }) }
}
