import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../../../app/api/all-calls.server.ts'
import type { Call } from '../../../app/api/call.server.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { hostileText, type JsonSchema, pick, randomFrom, type Source, valueFor } from './values.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101)
const AT_ONCE = 8

let world: World
let people: Person[]
const statuses: Record<number, number> = {}
beforeAll(async () => {
  world = await startWorld()
  people = [await world.join('Ann'), await world.join('Bea'), await world.join('Cat')]
  const [ann, bea] = people as [Person, Person]
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, 'Hello', 'message-1')
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

/** Whether it is an answer of the call is checked against the document; here, that what it says is for people to read. */
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

function shoot(source: Source): Shot {
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

async function judge({ call, path, init }: Shot): Promise<string | null> {
  const response = await fetch(`${world.url}/api${path}`, init)
  const text = await response.text()
  const summary = `${call.method} ${path.slice(0, 200)} ${String(init.body).slice(0, 200)} -> ${response.status} ${text.slice(0, 200)}`
  statuses[response.status] = (statuses[response.status] ?? 0) + 1
  if (response.status >= 500) return summary
  const parsed = (response.ok ? call.answer : Refused).safeParse(JSON.parse(text))
  return parsed.success ? null : `${summary} ${parsed.error.message}`
}

test(
  `no request brings the product down or out of its form (seed ${SEED})`,
  async () => {
    const random = randomFrom(SEED)
    const unknown = '0123456789abcdefghijklmn'
    const source: Source = { random, ids: [...people.map(({ id }) => id), unknown, 'message-1'] }
    const shots = Array.from({ length: REQUESTS }, () => shoot(source))
    const wrong: string[] = []
    const called = new Set<string>()
    const worker = async () => {
      for (let shot = shots.pop(); shot; shot = shots.pop()) {
        const problem = await judge(shot)
        if (problem) wrong.push(problem)
        called.add(shot.call.path)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(wrong).toEqual([])
    expect(called.size).toBe(new Set(allCalls.map(({ path }) => path)).size)
    console.info(`${REQUESTS} requests by status: ${JSON.stringify(statuses)}`)
  },
  120_000 + REQUESTS * 80,
)
