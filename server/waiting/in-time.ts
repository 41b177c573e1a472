import type { Dispatch } from '../../eventstore/dispatch.ts'

/** How long a member waits for the log before they hear that it does not answer, in milliseconds. */
export const LOG_MS = 3_000

/** The same for what members send: an answer, or AnswerLost, within three seconds. */
export const inTime =
  (dispatch: Dispatch): Dispatch =>
  (decider, command, context) =>
    dispatch(decider, command, { withinMs: LOG_MS, ...context })
