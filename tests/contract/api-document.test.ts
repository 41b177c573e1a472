import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { document } from '../support/described/document.ts'

type Node = Record<string, unknown>
type Operation = {
  operationId: string
  parameters?: { $ref?: string }[]
  requestBody?: { required: boolean; content: Node }
  responses: Record<string, Node>
}

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>)
    .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)
const operationOf = (name: string) => operations.find((one) => one.name === name)!.operation

test('the description is OpenAPI 3.1', async () => {
  const validator = new Validator({ strict: false })
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect(errors ?? []).toEqual([])
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('no two operations have one name', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

/** Every schema of an object that an answer can hold, with where it is. */
function objectsIn(node: unknown, where: string): [string, Node][] {
  if (typeof node !== 'object' || node === null) return []
  const own: [string, Node][] = (node as Node).type === 'object' ? [[where, node as Node]] : []
  return [...own, ...Object.entries(node).flatMap(([key, value]) => objectsIn(value, `${where}/${key}`))]
}

test('no object of an answer is open to keys that are not described', () => {
  const calls = operations.filter(({ path }) => path !== '/openapi.json')
  const answers = calls.flatMap(({ name, operation }) => objectsIn(operation.responses, name))
  const shared = objectsIn(document.components?.responses, 'responses')
  const named = ['Self', 'Profile', 'Card', 'Message', 'Notification', 'Success', 'Export', 'Fields']
  const schemas = named.flatMap((name) => objectsIn(document.components?.schemas?.[name], name))
  const open = [...answers, ...shared, ...schemas].filter(
    ([, { additionalProperties = true }]) => additionalProperties === true,
  )
  expect(open.map(([where]) => where)).toEqual([])
  expect(schemas.length).toBeGreaterThan(named.length)
})

test('a call has a body that must come, one that may, or none', () => {
  const required = (name: string) => operationOf(name).requestBody?.required
  expect(required('POST /api/auth/login')).toBe(true)
  expect(required('POST /api/upload-media-file')).toBe(true)
  expect(required('DELETE /api/account/delete')).toBe(false)
  expect(required('POST /api/unmatch/{id}')).toBeUndefined()
})

test('a write of a member says that it takes a key, and what a repeat may come to', () => {
  const keyed = operations.filter(({ operation }) => operation.parameters?.some(({ $ref }) => $ref?.endsWith('/Key')))
  const writes = allCalls.filter(({ method, caller }) => method !== 'GET' && caller !== 'anyone')
  const without = [
    'POST /api/auth/ticket',
    'POST /api/upload-media-file',
    ...['', '/confirm', '/recovery-codes'].map((path) => `POST /api/account/second-factor${path}`),
  ]
  const expected = writes.map(({ method, path }) => `${method} /api${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(keyed.map(({ name }) => name).sort()).toEqual(expected.filter((name) => !without.includes(name)).sort())
  for (const { name, operation } of keyed) expect(Object.keys(operation.responses), name).toContain('409')
})

test('every call says what holds for each: its limits, a page elsewhere, and what is away', () => {
  for (const { name, path, operation } of operations.filter((one) => one.path.startsWith('/api/'))) {
    const statuses = Object.keys(operation.responses)
    const body = name.startsWith('GET') ? [] : ['408', '413', '415']
    const thing = path.includes('{') ? ['404'] : []
    expect(statuses, name).toEqual(
      expect.arrayContaining(['200', '400', '403', '429', '500', '503', ...body, ...thing]),
    )
  }
})

/** Every list that a body can hold, with the keys that lead to it. */
function listsIn(node: unknown, where: readonly string[] = []): [string, Node][] {
  if (typeof node !== 'object' || node === null) return []
  const { type, prefixItems, $ref } = node as Node
  if (typeof $ref === 'string') return listsIn(at($ref), where)
  const own: [string, Node][] = type === 'array' && !prefixItems ? [[where.join('.'), node as Node]] : []
  const properties = Object.entries(((node as Node).properties ?? {}) as Node)
  return [...own, ...properties.flatMap(([key, value]) => listsIn(value, [...where, key]))]
}
const at = (ref: string) =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Node)[key], document)
const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json'] as Node | undefined

test('a list that is sent has each item once, but for the tags of `favorites`, which say it themselves', () => {
  const sent = operations.flatMap(({ name, operation }) =>
    listsIn(bodyOf(operation)?.schema).map(([where, list]) => [
      `${name} ${where}`,
      list.uniqueItems ?? list.description,
    ]),
  )
  expect(Object.fromEntries(sent)).toEqual({
    'POST /api/auth/register-full interestedIn': true,
    'POST /api/auth/register-full interests': true,
    'POST /api/auth/register-full photos': true,
    'PUT /api/users/me interestedIn': true,
    'PUT /api/users/me interests': true,
    'PUT /api/users/me hobbies': true,
    'PUT /api/users/me favorites': expect.stringContaining('Each like and each dislike once'),
  })
})

test('what a profile has as a set is answered as one', () => {
  const sets = ['interests', 'hobbies', 'favorites']
  const ofAnother = listsIn(document.components?.schemas?.Profile).filter(([where]) => sets.includes(where))
  const ofOneself = listsIn(document.components?.schemas?.Self).filter(([where]) => where !== 'media')
  expect(ofAnother.map(([where, { uniqueItems }]) => [where, uniqueItems])).toEqual(sets.map((name) => [name, true]))
  expect(ofOneself.map(([where, { uniqueItems }]) => [where, uniqueItems])).toEqual(
    ['interests', 'hobbies', 'likes', 'dislikes', 'favorites', 'interestedIn'].map((name) => [name, true]),
  )
})
