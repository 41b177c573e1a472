import { expect, test } from 'vitest'
import { allEvents } from '../../domain/all-events.ts'
import { subjectFieldOf } from '../../domain/shared/personal.ts'
import { EVENTS } from '../../server/tools/export/data-map.ts'

const fieldsOf = ({ versions }: (typeof allEvents)[number]) => [
  ...new Set(versions.flatMap((version) => Object.keys(version.shape))),
]

test('every field of every event has its entry in the data map of the export', () => {
  const missing = allEvents.flatMap((event) =>
    fieldsOf(event)
      .filter((field) => EVENTS[event.type]?.fields[field] === undefined)
      .map((field) => `${event.type}.${field}: say in server/tools/export/data-map.ts where it stands, or why not`),
  )
  expect(missing).toEqual([])
})

test('the data map names no event and no field that is not there', () => {
  const known = new Map<string, readonly string[]>(allEvents.map((event) => [event.type, fieldsOf(event)]))
  const stale = Object.entries(EVENTS).flatMap(([type, { fields, whose }]) =>
    [...Object.keys(fields), whose]
      .filter((field) => !known.get(type)?.includes(field) && !(field === 'members' && type === 'MessageSent'))
      .map((field) => `${type}.${field}`),
  )
  expect(stale).toEqual([])
})

test('a sealed field of a member is left out for a reason that is given', () => {
  const unread = allEvents.flatMap((event) =>
    Object.entries(event.latest.shape).flatMap(([field, schema]) => {
      const destination = EVENTS[event.type]?.fields[field]
      return subjectFieldOf(schema) && destination && 'not' in destination ? [`${event.type}.${field}`] : []
    }),
  )
  expect(unread).toEqual([
    'MemberReported.message',
    'MemberReported.evidence',
    'ReportAmended.message',
    'ReportAmended.evidence',
  ])
})
