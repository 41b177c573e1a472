import type { IncomingMessage } from 'node:http'
import type { BodyTurns } from '../body-limit.ts'
import { bringsBody } from '../early-answer.ts'
import type { RequestTurn } from './request-turns.ts'

/** A turn is for work: whoever waits for the rest of a body gives it up, and another one begins with its end. */
export function turnsOfBody(incoming: IncomingMessage, turn: RequestTurn): BodyTurns {
  let waits = false
  return {
    asked: () => {
      waits = bringsBody(incoming) && !incoming.complete
      if (waits) turn.pause()
    },
    beforeEnd: async () => {
      if (!waits) return
      waits = false
      await turn.begin()
    },
  }
}
