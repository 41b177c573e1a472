import type { Person } from '../../../support/world-people.ts'
import type { Batch, Writer } from './writers.ts'

/** Pages that somebody opens one after the other. `text`: a string that is on at least one of them. */
export type Visit = { readonly as: Person; readonly paths: readonly string[]; readonly text: string }

/** Fields of their own pages hold so many strings or more, so that every so many-th writer has all of them there. */
const SEVERAL = 3

const ofMatch = ({ who: { id }, media }: Writer, at: number) => [
  ...['viewProfile', 'view', 'preview', 'chat', 'match', 'report', 'block', 'unmatch'].map((page) => `/${page}/${id}`),
  ...(at % SEVERAL === 0 ? [`/viewProfile/${id}?media=${media}`, `/view/${id}?media=${media}`] : []),
]

const sections = (...names: string[]) => names.map((name) => `/profile/edit?section=${name}`)

const ofOneself = ({ media }: Writer, at: number) => [
  ...['/profile', '/profile/edit', ...sections('name', 'place', 'facts'), '/profile/seen/match'],
  ...(at % SEVERAL === 0
    ? [
        ...sections('about', 'interests', 'hobbies', 'tastes', 'phone'),
        ...['', `?media=${media}`, `?delete=${media}`].map((query) => `/profile/gallery${query}`),
        ...['stranger', 'everyone'].map((audience) => `/profile/seen/${audience}`),
        ...['/', '/profile/privacy', '/settings/location', '/settings/export', '/settings/delete'],
      ]
    : []),
]

const ofAuditor = ({ who: { id } }: Writer, at: number) => [
  `/audit/${id}`,
  `/audit/${id}/state?stream=profile-${id}`,
  `/audit/${id}/rows?model=profiles`,
  ...(at % SEVERAL === 0
    ? [
        `/audit/${id}/state?stream=profile-${id}&fromRevision=0`,
        `/audit/${id}/state?stream=gallery-${id}`,
        `/audit/${id}?kind=report`,
      ]
    : []),
]

/** Every page that shows what somebody wrote, to whoever may see it. */
export function visitsOf(batch: Batch): Visit[] {
  const { writers, reader, buzzed, suitor, blocker, unmatcher, auditor, seekers } = batch
  const text = writers[0]?.text ?? ''
  const each = (as: Person, paths: (writer: Writer, at: number) => readonly string[]): Visit[] =>
    writers.map((writer, at) => ({ as, paths: paths(writer, at), text: writer.text }))
  const lists = (as: Person, ...paths: string[]): Visit => ({ as, paths, text })
  return [
    // Before the looks of the auditor, which stand above the reasons.
    lists(auditor, `/audit/${auditor.id}?kind=audit`),
    lists(reader, '/chat', '/notifications', '/profile?show=matches'),
    ...each(reader, ofMatch),
    lists(buzzed, '/notifications?type=buzz', '/profile?show=liked-you'),
    ...each(buzzed, ({ who }) => [`/viewProfile/${who.id}`]),
    lists(suitor, '/profile?show=liked'),
    lists(blocker, '/profile/privacy'),
    ...each(blocker, ({ who }) => [`/viewProfile/${who.id}`, `/block/${who.id}`, `/?blocked=${who.id}`]),
    ...each(unmatcher, ({ unmatched }) => [unmatched]),
    ...seekers.map(({ who, text: near }) => ({ as: who, paths: ['/discover'], text: near })),
    ...writers.map((writer, at) => ({ as: writer.who, paths: ofOneself(writer, at), text: writer.text })),
    ...each(auditor, ofAuditor),
  ]
}
