import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import type { Row } from './matrix/api-rows.ts'
import { BODIES, type BodyName } from './matrix/bodies.ts'
import { ROWS } from './matrix/pair-rows.ts'
import { CALLERS, CANARY, type Cast, castOf, RELATIONS, type Relation } from './matrix/relations.ts'

let world: World
let cast: Cast
let cells = 0
const WRITES = ROWS.filter(({ call, member }) => !call.startsWith('GET') && typeof member === 'object')
const READER = 'reader'

beforeAll(async () => {
  world = await startWorld()
  cast = await castOf(world, [READER, ...WRITES.map(({ call }) => call)])
}, 240_000)
afterAll(async () => {
  console.info(`${cells} cells of the matrix of calls`)
  await world?.stop()
})

type Answer = { status: number; json: unknown; text: string }

async function ask(row: Row, token: string | null, target: string, me: Person): Promise<Answer> {
  const { path, body } = row.send(target, cast, me)
  const isForm = body instanceof FormData
  const response = await fetch(`${world.url}/api${path}`, {
    method: row.call.split(' ')[0] as string,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const text = await response.text()
  cells += 1
  return { status: response.status, json: JSON.parse(text), text }
}

/** null when the answer is the expected one. */
function mismatch(cell: string, expected: BodyName, { status, json, text }: Answer): string | null {
  const parsed = BODIES[expected].safeParse(json)
  if (status === Number(expected.slice(0, 3)) && parsed.success) return null
  const issues = parsed.error?.issues.slice(0, 2).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return `${cell}: expected ${expected}, got ${status} ${text.slice(0, 160)} ${issues ?? ''}`
}

const MAY_NAME: readonly Relation[] = ['matched', 'hiddenMatched']

describe.each(ROWS.map((row) => [row.call, row] as const))('%s', (call, row) => {
  const callerOf = () => cast.callers.get(call) ?? (cast.callers.get(READER) as Person)

  test('answers each kind of caller as the matrix says', async () => {
    const wrong: (string | null)[] = []
    for (const kind of CALLERS) {
      const target =
        typeof row.member === 'string' ? `${call.replace(/\W/g, '')}${kind}` : cast.idOf('stranger', callerOf())
      const answer = await ask(row, cast.tokens[kind], target.toLowerCase(), callerOf())
      wrong.push(mismatch(kind, row.callers[kind], answer))
    }
    expect(wrong.filter(Boolean)).toEqual([])
  })

  test('answers a member by what the target is to them', async () => {
    const wrong: (string | null)[] = []
    const { member } = row
    const me = callerOf()
    if (typeof member === 'string') {
      const token = call === 'POST /auth/logout' ? 'none' : me.token
      const answer = await ask(row, token, `${call.replace(/\W/g, '')}member`.toLowerCase(), me)
      wrong.push(mismatch('member', member, answer))
      if (row.lists) expect(namesIn(answer.text, me)).toEqual([...row.lists].sort())
      expect(answer.text.split(CANARY).length - 1).toBe(call.endsWith('matches') ? 2 : 0)
    } else {
      for (const relation of RELATIONS) {
        const answer = await ask(row, me.token, cast.idOf(relation, me), me)
        wrong.push(mismatch(relation, member[relation] ?? member.default, answer))
        if (!MAY_NAME.includes(relation) && answer.text.includes(CANARY))
          wrong.push(`${relation}: a private word got out`)
      }
    }
    expect(wrong.filter(Boolean)).toEqual([])
  })
})

/** The targets whose ids are in an answer. */
function namesIn(text: string, me: Person): Relation[] {
  return RELATIONS.filter((relation) => relation !== 'self' && text.includes(cast.idOf(relation, me))).sort()
}

describe('a notification', () => {
  test('is marked and removed by its owner alone', async () => {
    const me = cast.callers.get(READER) as Person
    const list = BODIES['200 notifications'].parse(await (await world.api('/notifications', { as: me })).json())
    const { id } = list[0]!
    const send = async (method: string, path: string, as: Person) => {
      const response = await world.api(path, { as, method })
      cells += 1
      return [response.status, await response.json()]
    }
    const foreign = [404, { error: 'Not found' }]
    const done = [200, { success: true }]
    expect(await send('PATCH', `/notifications/${id}/read`, cast.bystander)).toEqual(foreign)
    expect(await send('DELETE', `/notifications/${id}`, cast.bystander)).toEqual(foreign)
    expect(await send('PATCH', `/notifications/${id}/read`, me)).toEqual(done)
    expect(await send('PATCH', `/notifications/${id}/read`, me)).toEqual(done)
    expect(await send('DELETE', `/notifications/${id}`, me)).toEqual(done)
  })
})

describe('signing in', () => {
  test.each([
    ['stranger', '200 session'],
    ['deactivated', '200 session'],
    ['suspended', '403 suspended'],
    ['gone', '401 credentials'],
  ] as const)('with the right password: %s gets %s', async (relation, expected) => {
    const { email, password } = cast.targets.get(relation) as Person
    const response = await world.api('/auth/login', { method: 'POST', body: JSON.stringify({ email, password }) })
    const text = await response.text()
    cells += 1
    expect(mismatch(relation, expected, { status: response.status, json: JSON.parse(text), text })).toBe(null)
  })
})
