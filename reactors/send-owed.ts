import { once } from 'node:events'
import type { Dispatch } from '../eventstore/dispatch.ts'
import { LogUnavailable } from '../eventstore/log.ts'
import { errorFields, type Logger } from '../services/log.ts'
import type { Owed } from '../services/owed.ts'
import { sendOwed } from '../usecases/owed.ts'
import { createRounds, type Rounds } from './rounds.ts'

type OwedWorkDeps = {
  readonly dispatch: Dispatch
  readonly owed: Owed
  readonly logger: Logger
  /** How long it rests once nothing is due. */
  readonly everyMs?: number
}

const LOOK_EVERY_MS = 1_000
/** With a wait that doubles up to a minute this is a day. */
const TRIES = 1_440
const WAITS = 'What the log is owed waits.'

/** Sends what the log is owed and whoever made the change did not send: the log was away, or their process died. */
export function createOwedWork({ dispatch, owed, logger, everyMs = LOOK_EVERY_MS }: OwedWorkDeps): Rounds {
  return createRounds({
    everyMs,
    onError: (error) => logger.warn(WAITS, { kind: 'owed', ...errorFields(error) }),
    async round(signal) {
      const taken = await owed.take()
      if (!taken) return false
      const sent = new AbortController()
      try {
        signal.throwIfAborted()
        // A log that is away delays no stop: the next start sends it.
        const stopping = once(signal, 'abort', { signal: sent.signal }).then(() => signal.throwIfAborted())
        await Promise.race([sendOwed({ owed, dispatch }, taken), stopping])
      } catch (error) {
        // A log that is away takes no command, whichever it is.
        const isAway = signal.aborted || error instanceof LogUnavailable
        if (isAway) {
          await owed.putOff(taken, 'away')
          throw error
        }
        // It delays nobody else's: no rest after it.
        const fields = { kind: 'owed', name: taken.what.type, ...errorFields(error) }
        if (taken.refused + 1 < TRIES) {
          await owed.putOff(taken, 'refused')
          logger.warn(WAITS, fields)
        } else {
          await owed.giveUp(taken)
          logger.error('A command that the log is owed is given up.', fields)
        }
      } finally {
        sent.abort()
      }
      return true
    },
  })
}
