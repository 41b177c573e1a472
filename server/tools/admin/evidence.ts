import type { EventNamed } from '../../../domain/all-events.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { isErased, valueOr } from '../../../domain/shared/personal.ts'
import type { ReportRow } from '../../../projections/reports/table.ts'
import type { Core } from '../../core.ts'

/** In the place of a report's words, once they can be read no more. */
export const ERASED = '(erased)'

type ReportEvent = EventNamed<'MemberReported' | 'ReportAmended'>

/**
 * Everything that was reported in one case, with its evidence, as the log keeps it; oldest first. The words of a reporter who
 * is erased are erased too, also where the case's key alone sealed them.
 */
export async function readCase(
  { log, codec, loadState }: Pick<Core, 'log' | 'codec' | 'loadState'>,
  { id, reporter, target }: Pick<ReportRow, 'id' | 'reporter' | 'target'>,
): Promise<ReportEvent[]> {
  const ofCase: ReportEvent[] = []
  for await (const page of log.pages(`report-${reporter}_${target}`)) {
    for (const event of await codec.decode(page))
      if ((event.type === 'MemberReported' || event.type === 'ReportAmended') && event.report === id) ofCase.push(event)
  }
  const { status } = await loadState(memberDecider, reporter as MemberId)
  return status === 'gone' ? ofCase.map((event) => ({ ...event, reason: { erased: true as const } })) : ofCase
}

/** A report in lines, for a terminal: words of members are quoted, free of characters that a terminal obeys. */
export function describeReport(event: ReportEvent): string[] {
  const evidence = valueOr(event.evidence, null)
  const lines = [`${stamp(event.at)}  ${isErased(event.reason) ? ERASED : quoted(event.reason)}`]
  const message = valueOr(event.message, null)
  if (message) lines.push(`  points at message ${message}`)
  const media = valueOr(event.media, null)
  if (media) lines.push(`  points at media ${media}`)
  if (!evidence) return [...lines, '  The evidence was erased.']
  const { profile, messages } = evidence
  if (profile) {
    lines.push(`  profile: ${quoted(profile.firstName)}, bio ${quoted(profile.bio)}`)
    lines.push(`  photos: ${profile.photos.join(' ') || 'none'}`)
  }
  const whose = (from: string) => (from === event.target ? 'reported' : 'reporter')
  const conversation = messages.map(({ id, from, text, sentAt }) => {
    const mark = id === message ? '>' : ' '
    return `${mark} ${sentAt.slice(0, 16).replace('T', ' ')}  ${whose(from)}: ${quoted(text)}`
  })
  return [...lines, `  messages: ${messages.length}`, ...conversation]
}

export const stamp = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

/** Control characters that JSON leaves as they are, ends of lines, and what turns the direction of the words behind it. */
const HIDDEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
export const quoted = (text: string): string => JSON.stringify(text).replace(HIDDEN, escaped)
