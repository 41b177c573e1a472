import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS, functionsOf, listed, sources, styles } from './source.ts'

const FILE_WALL = 300
/** Files of these kinds have a nearer wall. */
const WALLS: readonly (readonly [RegExp, number])[] = [
  [/^(domain\/.*decider\.ts|app\/routes\/.*)$/, 250],
  [/^projections\/.*\/queries\.ts$/, 210],
  [/^projections\/.*\/project\.ts$/, 200],
  [/^migrations\//, 100],
  [/^realtime\/(pushes|handlers)\//, 80],
]
const FUNCTION_WALL = 60
const COMPONENT_WALL = 80
const FOLDER_WALL = 30

/** Path, or path and function, to the reason why it may be longer. */
const EXCEPTIONS: Record<string, string> = {
  'app/routes': 'a flat file is an address',
  'tests/golden': 'one file for each version of an event, for ever, and the hashes of migrations',
  migrations: 'one file for each change of the tables, for ever',
  'migrations/index.ts': 'two lines for each of them',
}

const excused = (name: string) => name in EXCEPTIONS
const files = [...sources(), ...sources(['tests']), ...styles()]
const wallOf = (path: string) => WALLS.find(([kind]) => kind.test(path))?.[1] ?? FILE_WALL
const linesOf = (text: string) => text.replace(/\n$/, '').split('\n').length

test('no file passes the size wall', () => {
  const long = files.filter(({ path, text }) => linesOf(text) > wallOf(path) && !excused(path))
  expect(long.map((file) => file.path)).toEqual([])
})

test('no function passes the size wall', () => {
  const long = sources()
    .filter(({ text }) => linesOf(text) > FUNCTION_WALL)
    .flatMap(functionsOf)
    .filter((fn) => fn.lines > (fn.jsx ? COMPONENT_WALL : FUNCTION_WALL) && !excused(`${fn.path} ${fn.name}`))
  expect(long.map((fn) => `${fn.path} ${fn.name} ${fn.lines}`)).toEqual([])
})

test('no folder holds more files than one can see at a glance', () => {
  const counts = new Map<string, number>()
  for (const path of listed([...FOLDERS, 'tests'], /./)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const full = [...counts].filter(([folder, count]) => count > FOLDER_WALL && !excused(folder))
  expect(full).toEqual([])
})
