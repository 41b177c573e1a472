import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../../../app/api/all-calls.server.ts'
import type { Call } from '../../../app/api/call.server.ts'
import { hostileText, type JsonSchema, pick, type Source, valueFor } from './values.ts'
import { type Fuzzed, fire, type Judged, SEED, startFuzzed, volley } from './volley.ts'

const CALLS = volley({ requests: 1_500, atOnce: 8 })

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

/** Nobody of those who ask would be left. */
const ENDS = new Set(['/auth/logout', '/account/delete'])

type Shot = { call: Call; path: string; init: RequestInit }

const schemaOf = (schema: z.ZodType | undefined): JsonSchema =>
  schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : {}

function queryFor(call: Call, source: Source): string {
  const { properties = {} } = schemaOf(call.query)
  const search = new URLSearchParams()
  for (const key of [...Object.keys(properties), 'extra']) {
    if (source.random() < 0.4) continue
    search.append(key, pick(source, ['48.2', '16.4', '20', 'serious', 'Music,Travel', hostileText(source)]))
    if (source.random() < 0.05) search.append(key, 'again')
  }
  return search.size > 0 ? `?${search}` : ''
}

function bodyFor(call: Call, source: Source): Pick<RequestInit, 'body' | 'headers'> {
  if (call.form && source.random() < 0.5) {
    const form = new FormData()
    form.set(pick(source, ['file', 'still', 'other']), new Blob([hostileText(source)]), hostileText(source))
    form.set('purpose', pick(source, ['photo', 'kyc-id', hostileText(source)]))
    return { body: form }
  }
  const sent = JSON.stringify(valueFor(schemaOf(call.body), source)) ?? ''
  const broken = source.random() < 0.05
  const type =
    source.random() < 0.05 ? pick(source, ['text/plain', 'application/json; charset=utf-16']) : 'application/json'
  return { body: broken ? sent.slice(0, -1) : sent, headers: { 'Content-Type': type } }
}

function shotFrom({ people, source }: Fuzzed): Shot {
  const call = pick(source, allCalls)
  const one = () => (source.random() < 0.8 ? pick(source, source.ids) : encodeURIComponent(asText(hostileText(source))))
  const path = call.path.replace(/:\w+/g, one) + queryFor(call, source)
  const as = ENDS.has(call.path) ? null : pick(source, [...people, null])
  const { body, headers } = call.method === 'GET' ? {} : bodyFor(call, source)
  const key = source.random() < 0.1 ? { 'Idempotency-Key': pick(source, ['one', 'two', 'a b', 'x'.repeat(300)]) } : {}
  const identity = as ? { Authorization: `Bearer ${as.token}` } : {}
  return {
    call,
    path,
    init: { method: call.method, ...(body && { body }), headers: { ...headers, ...identity, ...key } },
  }
}

/** What an address can hold: half a character has no form there. */
const asText = (value: unknown) => String(value).replace(/[\ud800-\udfff]/g, '?') || '-'

async function judge({ call, path, init }: Shot): Promise<Judged> {
  const response = await fetch(`${fuzzed.world.url}/api${path}`, init)
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
    await fire(CALLS, () => {
      const shot = shotFrom(fuzzed)
      called.add(shot.call.path)
      return judge(shot)
    })
    expect(called.size).toBe(new Set(allCalls.map(({ path }) => path)).size)
  },
  CALLS.limitMs,
)
