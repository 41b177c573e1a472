import { minutes } from '../../domain/shared/dates.ts'
import type { Clock } from '../../services/clock.ts'
import type { Logger } from '../../services/log.ts'
import type { Client } from './client.ts'
import type { PolicyReport } from './policy-reports.ts'

const WINDOW_MS = minutes(1)
const LINES = 20

/**
 * Logs reports of the policy, so many a minute: anybody may send them, and browsers do without end where a page breaks its own
 * policy. `count`: how many were left out since the line before.
 */
export function policyLog(logger: Logger, now: Clock): (report: PolicyReport, client: Client) => void {
  let [startedAt, lines, leftOut] = [Number.NEGATIVE_INFINITY, 0, 0]
  return ({ directive, blocked }, { requestId }) => {
    const at = now().getTime()
    if (at - startedAt >= WINDOW_MS) [startedAt, lines] = [at, 0]
    if (lines >= LINES) {
      leftOut++
      return
    }
    const fields = { requestId, kind: 'policy-report', name: directive, host: blocked, count: leftOut }
    logger.warn('A browser reported what the policy blocked.', fields)
    lines++
    leftOut = 0
  }
}
