import type { CountSockets } from '../../../realtime/capped-sockets.ts'
import type { CountConnections } from '../../http/connection-caps.ts'

/** Counted by each: whichever finds one too many closes it. */
export const eachConnection =
  (...counts: CountConnections[]): CountConnections =>
  (drop) => {
    const all = counts.map((count) => count(drop))
    return {
      enter(...entered) {
        for (const one of all) one.enter(...entered)
      },
      leave(...left) {
        for (const one of all) one.leave(...left)
      },
      asked(...asked) {
        for (const one of all) one.asked(...asked)
      },
      vouch(...vouched) {
        for (const one of all) one.vouch(...vouched)
      },
    }
  }

export const eachSocket =
  (...counts: CountSockets[]): CountSockets =>
  (...asked) => {
    const all = counts.map((count) => count(...asked))
    return {
      add(...added) {
        for (const one of all) one.add(...added)
      },
      delete(...deleted) {
        for (const one of all) one.delete(...deleted)
      },
    }
  }
