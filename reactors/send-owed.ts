import { once } from 'node:events'
import type { Dispatch } from '../eventstore/dispatch.ts'
import { LogUnavailable } from '../eventstore/log.ts'
import { errorFields, type Logger } from '../services/log.ts'
import type { Owed, TakenCommand } from '../services/owed.ts'
import { sendOwed } from '../usecases/owed.ts'

export type OwedWorkDeps = {
  readonly dispatch: Dispatch
  readonly owed: Owed
  readonly logger: Logger
}

/** Behind a log that is away, and a command that another process is sending. */
const SOONEST_MS = 1_000
/** With a wait that doubles up to a minute this is a day. */
const TRIES = 1_440
const WAITS = 'What the log is owed waits.'

/**
 * Sends what the log is owed, is due, and whoever made the change did not send: the log was away, or their process died.
 * Answers in how many milliseconds that command is to be looked at again.
 */
export async function sendDue(deps: OwedWorkDeps, command: string, signal: AbortSignal): Promise<number | null> {
  const { owed, logger } = deps
  try {
    for (let taken = await owed.take(); taken; taken = await owed.take()) await send(deps, taken, signal)
  } catch (error) {
    if (!signal.aborted) logger.warn(WAITS, { kind: 'owed', ...errorFields(error) })
  }
  const ms = await owed.waits(command)
  return ms === null ? null : Math.max(SOONEST_MS, ms)
}

/** Throws where no other would be sent either. */
async function send({ dispatch, owed, logger }: OwedWorkDeps, taken: TakenCommand, signal: AbortSignal): Promise<void> {
  const sent = new AbortController()
  try {
    signal.throwIfAborted()
    // A log that is away delays no stop: the next start sends it.
    const stopping = once(signal, 'abort', { signal: sent.signal }).then(() => signal.throwIfAborted())
    await Promise.race([sendOwed({ owed, dispatch }, taken), stopping])
  } catch (error) {
    // A log that is away takes no command, whichever it is.
    if (signal.aborted || error instanceof LogUnavailable) {
      await owed.putOff(taken, 'away')
      throw error
    }
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
}
