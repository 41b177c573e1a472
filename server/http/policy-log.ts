import type { Logger } from '../../services/log.ts'
import type { Client } from './client.ts'
import { fewLines } from './few-lines.ts'
import type { PolicyReport } from './policy-reports.ts'

/**
 * Logs reports of the policy, so many a minute: anybody may send them, and browsers do without end where a page breaks its own
 * policy. `count`: how many were left out before the line.
 */
export function policyLog(logger: Logger): (report: PolicyReport, client: Pick<Client, 'requestId'>) => void {
  const write = fewLines<PolicyReport & Pick<Client, 'requestId'>>(({ directive, blocked, requestId }, count) => {
    const fields = { requestId, kind: 'policy-report', name: directive, host: blocked, count }
    logger.warn('A browser reported what the policy blocked.', fields)
  })
  return (report, { requestId }) => write('policy-report', { ...report, requestId })
}
