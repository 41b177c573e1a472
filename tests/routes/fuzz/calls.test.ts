import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../../../app/api/all-calls.server.ts'
import type { Call } from '../../../app/api/call.server.ts'
import type { Person } from '../../support/world-people.ts'
import { chance, hostileText, type JsonSchema, mostly, valueFor } from './values.ts'
import { type Fuzzed, fire, type Judged, SEED, startFuzzed, volley } from './volley.ts'

const CALLS = volley({ requests: 400, atOnce: 8 })

let fuzzed: Fuzzed
beforeAll(async () => {
  fuzzed = await startFuzzed()
}, 120_000)
afterAll(() => fuzzed?.world.stop())

/** Whether it is an answer of the call is checked against the document; here, that what it states is for people to read. */
const Refused = z.looseObject({
  error: z.string().min(1),
  /** A sentence each: nothing in the words of the code. */
  fields: z
    .record(z.string(), z.string().regex(/^(?!.*(expected|undefined|Invalid (input|option|string)))[A-Z].*\.$/s))
    .optional(),
})

/** They end the session or the account of whoever asks: somebody who has come for that. */
const ENDS = new Set(['/auth/logout', '/account/delete'])
const ENDED_EACH = 4

type Who = Person | 'passing' | null
type Shot = { call: Call; path: string; init: RequestInit; as: Who }

const schemaOf = (schema: z.ZodType | undefined): JsonSchema =>
  schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : {}

function queryFor(call: Call): fc.Arbitrary<string> {
  const { properties = {} } = schemaOf(call.query)
  const words = mostly(80, fc.constantFrom('48.2', '16.4', '20', 'serious', 'Music,Travel'), hostileText)
  const pairs = [...Object.keys(properties), 'extra'].map((key) =>
    fc.tuple(chance(60), words, chance(5)).map(([is, word, again]) => {
      const pair = [key, word] as const
      return is ? [pair, ...(again ? [[key, 'again'] as const] : [])] : []
    }),
  )
  return fc.tuple(...pairs).map((all) => {
    const search = new URLSearchParams(all.flat().map(([key, word]) => [key, word]))
    return search.size > 0 ? `?${search}` : ''
  })
}

type Sent = Pick<RequestInit, 'body' | 'headers'>

const FORM: fc.Arbitrary<Sent> = fc
  .record({
    field: fc.constantFrom('file', 'still', 'other'),
    words: hostileText,
    name: hostileText,
    purpose: mostly(67, fc.constantFrom('photo', 'kyc-id'), hostileText),
  })
  .map(({ field, words, name, purpose }) => {
    const form = new FormData()
    form.set(field, new Blob([words]), name)
    form.set('purpose', purpose)
    return { body: form }
  })

const TYPES = mostly(
  95,
  fc.constant('application/json'),
  fc.constantFrom('text/plain', 'application/json; charset=utf-16'),
)

function bodyFor(call: Call): fc.Arbitrary<Sent> {
  if (call.method === 'GET') return fc.constant({})
  const json = fc.tuple(valueFor(schemaOf(call.body), fuzzed.ids), chance(5), TYPES).map(([value, broken, type]) => {
    const sent = JSON.stringify(value) ?? ''
    return { body: broken ? sent.slice(0, -1) : sent, headers: { 'Content-Type': type } }
  })
  return call.form ? fc.oneof(FORM, json) : json
}

function pathFor(call: Call): fc.Arbitrary<string> {
  const one = mostly(80, fc.constantFrom(...fuzzed.ids), hostileText.map(asText).map(encodeURIComponent))
  const parts = call.path.split('/').map((part) => (part.startsWith(':') ? one : fc.constant(part)))
  return fc.tuple(fc.tuple(...parts), queryFor(call)).map(([path, query]) => path.join('/') + query)
}

/** With the session of a member, but for `strangers`, of whom some have none. */
function shotsOf(call: Call, strangers: readonly null[] = []): fc.Arbitrary<Shot> {
  const people = ENDS.has(call.path) ? (['passing'] as const) : fuzzed.people
  const as: fc.Arbitrary<Who> = fc.constantFrom(...people, ...strangers)
  const key = mostly(90, fc.constant(null), fc.constantFrom('one', 'two', 'a b', 'x'.repeat(300)))
  return fc.record({ path: pathFor(call), sent: bodyFor(call), as, key }).map(({ path, sent, as, key }) => {
    const headers = { ...sent.headers, ...(key && { 'Idempotency-Key': key }) }
    return { call, path, as, init: { method: call.method, ...sent, headers } }
  })
}

/** What an address can hold: half a character has no form there. */
const asText = (value: unknown) => String(value).replace(/[\ud800-\udfff]/g, '?') || '-'

async function judge({ call, path, init, as }: Shot): Promise<Judged> {
  const who = as === 'passing' ? await fuzzed.world.join('Pia') : as
  const headers = { ...init.headers, ...(who && { Authorization: `Bearer ${who.token}` }) }
  const response = await fetch(`${fuzzed.world.url}/api${path}`, { ...init, headers })
  const { status } = response
  const text = await response.text()
  const summary = `${call.method} ${path.slice(0, 200)} ${String(init.body).slice(0, 200)} -> ${status} ${text.slice(0, 200)}`
  if (status >= 500) return { status, wrong: summary }
  const { error } = (response.ok ? call.answer : Refused).safeParse(JSON.parse(text))
  return { status, ...(error && { wrong: `${summary} ${error.message}` }) }
}

test(
  `no request brings the product down or out of its form (seed ${SEED})`,
  async () => {
    const called = new Set<string>()
    const nameOf = ({ method, path }: Call) => `${method} ${path}`
    const ending = allCalls.filter(({ path }) => ENDS.has(path))
    const musts = [allCalls, ...Array.from({ length: ENDED_EACH - 1 }, () => ending)]
      .flat()
      .map((call) => shotsOf(call))
    const others = allCalls.filter(({ path }) => !ENDS.has(path)).map((call) => shotsOf(call, [null]))
    await fire(CALLS, { musts, others: fc.oneof(...others) }, (shot) => {
      if (shot.as) called.add(nameOf(shot.call))
      return judge(shot)
    })
    expect([...called].sort()).toEqual([...new Set(allCalls.map(nameOf))].sort())
  },
  CALLS.limitMs,
)
