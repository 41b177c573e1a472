import type { Clock } from '../../services/clock.ts'
import type { Logger } from '../../services/log.ts'
import type { Client } from './client.ts'
import { fewLines } from './few-lines.ts'
import type { PolicyReport } from './policy-reports.ts'

/**
 * Logs reports of the policy, so many a minute: anybody may send them, and browsers do without end where a page breaks its own
 * policy. `count`: how many were left out since the line before.
 */
export function policyLog(logger: Logger, now: Clock): (report: PolicyReport, client: Client) => void {
  const leftOutOf = fewLines(now)
  return ({ directive, blocked }, { requestId }) => {
    const count = leftOutOf('policy-report')
    if (count === null) return
    const fields = { requestId, kind: 'policy-report', name: directive, host: blocked, count }
    logger.warn('A browser reported what the policy blocked.', fields)
  }
}
