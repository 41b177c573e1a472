import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { beforeAll, expect, test } from 'vitest'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { createMatcher } from '../../app/api/match.server.ts'
import { openApi, statusesOf } from '../../app/api/openapi.server.ts'
import { buildPages } from '../../server/tools/build/pages.ts'
import { ROWS } from '../routes/matrix/pair-rows.ts'

const root = resolve(import.meta.dirname, '../..')
let routes: ServerBuild['routes']
beforeAll(async () => {
  await buildPages(root, true)
  const build: ServerBuild = await import(pathToFileURL(resolve(root, 'build/server/index.js')).href)
  routes = build.routes
})

/** The matrix is written by hand, with each call's row of the contract, so that the code is checked against it. */
const contract = ROWS.map(({ call }) => call).sort()

test('one route serves every path of the contract', () => {
  expect(Object.keys(routes).filter((id) => id.startsWith('routes/api'))).toEqual(['routes/api.$'])
  const match = createMatcher(allCalls)
  for (const call of contract) {
    const [method = '', path = ''] = call.split(' ')
    const found = match(path.replaceAll(/:\w+/g, 'x'))
    expect([call, found?.calls.map((one) => `${one.method} ${one.path}`)]).toEqual([
      call,
      expect.arrayContaining([`${method} ${path}`]),
    ])
  }
})

test('a word of a path comes before a parameter, in any case, and nothing longer or shorter fits', () => {
  const match = createMatcher(allCalls)
  const paths = (path: string) => match(path)?.calls[0]?.path ?? null
  expect(['/users/me', '/Users/Me/', '/users/abc', '/users', '/users/a/b', '/', '/%'].map(paths)).toEqual([
    ...['/users/me', '/users/me', '/users/:id', null, null, null, null],
  ])
  expect(match('/users/a%20b')?.params).toEqual({ id: 'a b' })
})

test('the matrix has a row for each call, and one alone, under the same row of the contract', () => {
  expect(allCalls.map(({ id, method, path }) => `${id} ${method} ${path}`).sort()).toEqual(
    ROWS.map(({ id, call }) => `${id} ${call}`).sort(),
  )
})

test('the contract has a row for each call, with its method and path', () => {
  const lines = readFileSync(resolve(root, 'docs/spec/api-contract.md'), 'utf8').split('\n')
  for (const { id, method, path } of allCalls.filter((call) => /^[CN]\d+$/.test(call.id))) {
    const row = lines.find((line) => line.startsWith(`| ${id} |`)) ?? ''
    expect(row, id).toContain(`${method} ${path.replaceAll(/:\w+/g, '{')}`.split('{')[0])
  }
})

test('the description of the interface holds the calls of the contract', () => {
  const described = Object.entries(openApi({ passwordMin: 12 }).paths ?? {})
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path.slice('/api'.length)}`),
    )
  const asWritten = contract.map((call) => call.replace(/:(\w+)/g, '{$1}'))
  expect(described.sort()).toEqual(asWritten.sort())
})

test('every status that the matrix expects is one that the call says it answers with', () => {
  const missing = ROWS.flatMap(({ call, callers, member }) => {
    const spec = allCalls.find(({ method, path }) => `${method} ${path}` === call)!
    const answers = [...Object.values(callers), ...(typeof member === 'string' ? [member] : Object.values(member))]
    const statuses = [...new Set(answers.map((name) => Number(name.slice(0, 3))))]
    return statuses.filter((status) => !statusesOf(spec).includes(status)).map((status) => `${call} ${status}`)
  })
  expect(missing).toEqual([])
})

test('every write is described with the refusal of a page of another origin', () => {
  const silent = allCalls.filter((call) => call.method !== 'GET' && !statusesOf(call).includes(403))
  expect(silent.map(({ path }) => path)).toEqual([])
})

test('every call is described with the refusal of an address that cannot be', () => {
  expect(allCalls.filter((call) => !statusesOf(call).includes(400)).map(({ path }) => path)).toEqual([])
})
