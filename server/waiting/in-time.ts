import type { Dispatch } from '../../eventstore/dispatch.ts'
import { withTimeout } from '../../eventstore/retry.ts'
import type { Ports } from '../../usecases/ports.ts'

/** How long a member waits for the log before they hear that it does not answer, in milliseconds. */
const LOG_MS = 3_000

/** The same for what members send: an answer, or AnswerLost, within three seconds. */
export const inTime =
  (dispatch: Dispatch): Dispatch =>
  (decider, command, context) =>
    dispatch(decider, command, { withinMs: LOG_MS, ...context })

/** What a member's request asks of the log, all of it in time. `until`: nobody waits for what it reads any more. */
export function askingInTime(
  { dispatch, loadState, isRepeat }: Pick<Ports, 'dispatch' | 'loadState' | 'isRepeat'>,
  until?: AbortSignal,
): Pick<Ports, 'dispatch' | 'note' | 'loadState' | 'isRepeat'> {
  return {
    dispatch: inTime(dispatch),
    note: inTime(dispatch),
    loadState: (decider, id) => withTimeout(loadState(decider, id, until), LOG_MS),
    isRepeat: (...asked) => withTimeout(isRepeat(...asked), LOG_MS),
  }
}
