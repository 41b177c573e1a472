import { expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { allEvents } from '../../domain/all-events.ts'
import * as mails from '../../services/mails.ts'
import { EXEMPT_FIELDS, EXEMPT_ROUTES, FIELDS } from '../e2e/pages/markup/covered.ts'
import { mailsWith } from '../e2e/pages/markup/mails.ts'
import { TYPED } from '../e2e/pages/markup/typed.ts'
import { visitsOf } from '../e2e/pages/markup/visits.ts'
import type { Batch } from '../e2e/pages/markup/writers.ts'
import { PAGE_ROWS } from '../routes/matrix/page-rows.ts'
import type { Person } from '../support/world-people.ts'

const someone = { id: 'a'.repeat(24) } as Person
const batch: Batch = {
  writers: [{ text: 'words', who: someone, media: someone.id, unmatched: `/profile?unmatched=${someone.id}` }],
  seekers: [{ who: someone, text: 'words' }],
  reader: someone,
  buzzed: someone,
  suitor: someone,
  blocker: someone,
  unmatcher: someone,
  auditor: someone,
}
/** The pages that the browser tests of markup open. */
const opened = [
  ...visitsOf(batch).flatMap(({ paths }) => paths),
  ...Object.values(TYPED).flatMap((typed) => typed({ value: 'words', other: someone }).map(({ path }) => path)),
].map((path) => path.replace(/\?.*/s, ''))

test('markup is tried on every page, or the page has no words of anybody', () => {
  const isOpened = (pattern: string) => opened.some((path) => pattern.replace(':id', someone.id) === path)
  const left = PAGE_ROWS.filter(({ path }) => !isOpened(path)).map(({ route }) => route)
  expect(left.sort()).toEqual(Object.keys(EXEMPT_ROUTES).sort())
})

type Node = z.core.JSONSchema._JSONSchema

/** The names of the properties below a schema that take any text. */
function textsIn(node: Node | undefined, name: string): string[] {
  if (typeof node !== 'object') return []
  const {
    type,
    enum: some,
    const: one,
    pattern,
    format,
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = node
  const own = type === 'string' && !some && one === undefined && !pattern && !format ? [name] : []
  const parts = [...anyOf, ...oneOf, ...allOf, ...[items].flat(), node.additionalProperties as Node | undefined]
  return [
    ...own,
    ...parts.flatMap((part) => textsIn(part as Node | undefined, name)),
    ...Object.entries(properties).flatMap(([key, value]) => textsIn(value, key)),
  ]
}
const textsOf = (schema: z.ZodType) => textsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')

test('markup is tried in every field of a call or an event, or the field takes none', () => {
  const asked = allCalls.flatMap(({ params, query, body, described }) => [params, query, body, described])
  const schemas = [...asked.filter((schema) => schema !== undefined), ...allEvents.map(({ latest }) => latest)]
  const names = new Set(schemas.flatMap((schema) => textsOf(schema as z.ZodType)))
  expect([...names].sort()).toEqual([...FIELDS, ...Object.keys(EXEMPT_FIELDS)].sort())
})

test('markup is tried in every mail', () => {
  const made = Object.entries(mails).filter(([, one]) => typeof one === 'function')
  expect(Object.keys(mailsWith('words', 'https://example.com/')).sort()).toEqual(made.map(([name]) => name).sort())
})
