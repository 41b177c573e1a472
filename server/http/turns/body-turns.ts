import type { ServerResponse } from 'node:http'
import type { BodyTurns } from '../body-limit.ts'
import { bringsBody } from '../early-answer.ts'
import { isSentWhole } from '../entry/sent-whole.ts'
import { IN_LINE_MS, type RequestTurn } from './request-turns.ts'

/** False for whoever closes the connection before the turn begins: they leave the line, unless what they sent came whole. */
export async function beginWhileThere(turn: RequestTurn, outgoing: ServerResponse): Promise<boolean> {
  const leave = () => (isSentWhole(outgoing.req) ? turn.stay() : turn.over())
  outgoing.once('close', leave)
  if (outgoing.destroyed) leave()
  await beginUntimed(turn, outgoing)
  outgoing.off('close', leave)
  return !turn.isOver
}

/** A turn is for work: whoever waits for the rest of a body gives it up, and another one begins with its end. */
export function turnsOfBody(turn: RequestTurn, outgoing: ServerResponse): BodyTurns {
  const { req } = outgoing
  let waits = false
  return {
    asked: () => {
      waits = bringsBody(req) && !req.complete
      if (waits) turn.pause()
      return waits
    },
    beforeEnd: async () => {
      if (!waits) return true
      waits = false
      return beginWhileThere(turn, outgoing)
    },
  }
}

/** Of a body that waits for a turn nothing is read: that its client sends nothing meanwhile is no silence of theirs. */
async function beginUntimed(turn: RequestTurn, outgoing: ServerResponse): Promise<void> {
  if (!bringsBody(outgoing.req)) return turn.begin()
  const { socket } = outgoing.req
  const { timeout = 0 } = socket
  socket.setTimeout(IN_LINE_MS)
  await turn.begin()
  if (!outgoing.writableEnded) socket.setTimeout(timeout)
}
