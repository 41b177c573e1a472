import { counted } from '../../../../domain/shared/counted.ts'
import { describeProblem } from '../../../../eventstore/chain/problems.ts'
import type { ChainVerdict } from '../../../../eventstore/chain/verify.ts'

const SHOWN = 50

/** What a person reads about a verified log. */
export function reportOf(verdict: ChainVerdict, seconds: number, publicKey: string): string[] {
  const { ok, problems, events, sealed, heads, days, head, scavenged } = verdict
  const gone = [...scavenged.values()].reduce((sum, count) => sum + count, 0)
  const last = days[days.length - 1]
  return [
    ...problems.slice(0, SHOWN).map(describeProblem),
    ...(problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more.`] : []),
    ok
      ? `The log is what was sealed: ${counted(events, 'event')} checked against ${counted(heads, 'head')} in ${seconds.toFixed(1)} s.`
      : `The log is not what was sealed: ${counted(problems.length, 'difference')} in ${counted(events, 'sealed event')}.`,
    ...(gone > 0
      ? [`${counted(gone, 'event')} of ${counted(scavenged.size, 'stream')} were scavenged by rights.`]
      : []),
    ...(sealed > 0 ? [`${counted(sealed, 'new event')} sealed.`] : []),
    ...(head ? [`Head: ${head.head.toString('hex')} at position ${head.last}`] : []),
    ...(last ? [`Day ${last.day}: ${last.head.toString('hex')} signed ${last.signature.toString('base64')}`] : []),
    ...(last ? [`Signed with: ${publicKey} (Ed25519)`] : []),
  ]
}
