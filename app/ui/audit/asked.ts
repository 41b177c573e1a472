import type { Category } from '../../../domain/all-events.ts'
import { Position } from '../../../domain/shared/recorded.ts'
import type { HistoryFilter, HistoryPage } from '../../../projections/history/queries.ts'
import type { Moment } from '../../../projections/history/state.ts'

/** Kinds of streams, in the order in which they are offered; the looks of auditors are shown when asked for. */
export const KIND_LABELS: Readonly<Record<Category, string>> = {
  member: 'Account',
  email: 'Address',
  profile: 'Profile',
  gallery: 'Gallery',
  pair: 'Pairs',
  inbox: 'Inbox',
  report: 'Reports',
  audit: 'Audits',
}
export const KINDS = Object.keys(KIND_LABELS) as readonly Category[]
export const kindLabel = (kind: string): string => Object.entries(KIND_LABELS).find(([of]) => of === kind)?.[1] ?? kind
export const TIMELINE_PAGE = 50

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/

/** undefined also for a day that no month has, such as 30 February: as a date it would be another day. */
function validDate(text: string): Date | undefined {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10)) ? date : undefined
}

const dayOf = (text: string | null) => (text && DATE.test(text) ? validDate(`${text}T00:00:00Z`) : undefined)

/** What a timeline's address asks for; what makes no sense is left out. Days are of UTC, the last one included. */
export function filterOf(params: URLSearchParams): HistoryFilter {
  const kinds = params.getAll('kind').filter((kind) => KINDS.some((known) => known === kind))
  const [from, last] = [dayOf(params.get('from')), dayOf(params.get('until'))]
  return {
    ...(kinds.length > 0 && { kinds }),
    ...(from && { from }),
    ...(last && { until: new Date(last.getTime() + DAY_MS) }),
  }
}

export function pageOf(params: URLSearchParams): HistoryPage {
  const before = Position.safeParse(params.get('before')).data
  const after = before ? undefined : Position.safeParse(params.get('after')).data
  return { ...filterOf(params), ...(before && { before }), ...(after && { after }), limit: TIMELINE_PAGE }
}

/** A moment of UTC as a form or a tool gives it: a day, or a day and a time. undefined for anything else. */
export function parseMoment(text: string): Date | undefined {
  const [, day, time = '00:00'] = MOMENT.exec(text.trim()) ?? []
  return day ? validDate(`${day}T${time}Z`) : undefined
}

/** `unclear`: something was given that is neither. Of the two a revision counts first. */
export function momentOf(revision: string, at: string): Moment | 'unclear' {
  if (revision.trim() !== '') return /^\d{1,9}$/.test(revision.trim()) ? { revision: Number(revision) } : 'unclear'
  if (at.trim() === '') return null
  const moment = parseMoment(at)
  return moment ? { at: moment } : 'unclear'
}
