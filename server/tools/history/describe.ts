import { hiddenWords, stampOf } from '../../../app/ui/audit/words.ts'
import type { AuditValue, ShownEvent } from '../../../projections/history/masking.ts'
import type { Difference, StateAt, StreamPoint } from '../../../projections/history/state.ts'

/** JSON, so that no word of a member moves the cursor. */
const valueText = (shown: AuditValue | null): string => {
  if (shown === null) return '(not there)'
  return 'hidden' in shown ? `[${hiddenWords(shown).toLowerCase()}]` : JSON.stringify(shown.value)
}

/** An event: when, where and what, then by whom and why, then its fields. */
export function describeEvent(event: ShownEvent): string[] {
  const { at, type, stream, revision, position, meta, unreadable, fields } = event
  return [
    `${stampOf(at)}  ${type}  ${stream}@${revision}`,
    `  position ${position}${meta ? `  by ${meta.actor}  command ${meta.commandId}  cause ${meta.causationId}` : ''}`,
    ...(unreadable ? [`  cannot be read: ${unreadable}`] : []),
    ...fields.map(({ name, shown }) => `  ${name}: ${valueText(shown)}`),
  ]
}

const momentText = ({ revision, at }: StreamPoint) =>
  revision === null ? 'before its first event' : `after revision ${revision}${at ? `, ${stampOf(at)}` : ''}`

const unreadableText = ({ unreadable }: { readonly unreadable?: string }) =>
  unreadable ? [`  the log cannot be read from here on: ${unreadable}`] : []

export function describeState(state: StateAt): string[] {
  return [
    `${state.stream} ${momentText(state)}`,
    ...unreadableText(state),
    ...state.leaves.map(({ path, shown }) => `  ${path || 'state'}: ${valueText(shown)}`),
  ]
}

export function describeDifference({ from, to, changes }: Difference): string[] {
  return [
    `${to.stream}: ${momentText(from)} -> ${momentText(to)}`,
    ...unreadableText(to.unreadable ? to : from),
    ...changes.map(({ path, before, after }) => `  ${path || 'state'}: ${valueText(before)} -> ${valueText(after)}`),
  ]
}
