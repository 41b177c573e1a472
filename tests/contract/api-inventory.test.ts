import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { beforeAll, expect, test } from 'vitest'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { openApi, statusesOf } from '../../app/api/openapi.server.ts'
import { buildApp } from '../../server/tools/cli/build.ts'
import { ROWS } from '../routes/matrix/pair-rows.ts'
import { API_TABLE } from './api-table.ts'

const root = resolve(import.meta.dirname, '../..')
let routes: ServerBuild['routes']
beforeAll(async () => {
  await buildApp(root, true)
  const build: ServerBuild = await import(pathToFileURL(resolve(root, 'build/server/index.js')).href)
  routes = build.routes
})

const contract = API_TABLE.map(([, call]) => call).sort()

/** Every path below /api that the router knows, but the one that answers for the rest. */
function routedPaths(): string[] {
  const pathOf = (id: string): string => {
    const { parentId, path = '' } = routes[id]!
    return [parentId ? pathOf(parentId) : '', path].filter(Boolean).join('/')
  }
  return Object.keys(routes)
    .map((id) => `/${pathOf(id)}`)
    .filter((path) => path.startsWith('/api/') && path !== '/api/*')
    .map((path) => path.slice('/api'.length))
    .sort()
}

test('the router knows the paths of the contract and no other', () => {
  expect(routedPaths()).toEqual([...new Set(contract.map((call) => call.split(' ')[1]))].sort())
})

test('the calls are those of the contract, each once', () => {
  expect(allCalls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(contract)
  const named = allCalls.map(({ id, method, path }) => `${id} ${method} ${path}`).sort()
  expect(named).toEqual(API_TABLE.map(([id, call]) => `${id} ${call}`).sort())
})

test('the description of the interface holds the calls of the contract', () => {
  const described = Object.entries(openApi().paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path.slice('/api'.length)}`),
  )
  const asWritten = contract.map((call) => call.replace(/:(\w+)/g, '{$1}'))
  expect(described.sort()).toEqual(asWritten.sort())
})

test('the matrix has a row for each call, and one alone', () => {
  expect(ROWS.map(({ call }) => call).sort()).toEqual(contract)
})

test('every status that the matrix expects is one that the call says it answers with', () => {
  const unsaid = ROWS.flatMap(({ call, callers, member }) => {
    const spec = allCalls.find(({ method, path }) => `${method} ${path}` === call)!
    const answers = [...Object.values(callers), ...(typeof member === 'string' ? [member] : Object.values(member))]
    const statuses = [...new Set(answers.map((name) => Number(name.slice(0, 3))))]
    return statuses.filter((status) => !statusesOf(spec).includes(status)).map((status) => `${call} ${status}`)
  })
  expect(unsaid).toEqual([])
})
