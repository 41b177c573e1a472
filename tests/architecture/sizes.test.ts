import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS, functionsOf, sources } from './source.ts'

const FILE_WALL = 300
const FUNCTION_WALL = 60
const COMPONENT_WALL = 80
const FOLDER_WALL = 30

/** Path, or path and function, to the reason why it may be longer. */
const EXCEPTIONS: Record<string, string> = {}

const excused = (name: string) => name in EXCEPTIONS
const files = [...sources(), ...sources(['tests'])]

test('no file passes the wall of the house', () => {
  const long = files.filter((file) => file.text.split('\n').length > FILE_WALL && !excused(file.path))
  expect(long.map((file) => file.path)).toEqual([])
})

test('no function passes the wall of the house', () => {
  const long = sources()
    .flatMap(functionsOf)
    .filter((fn) => fn.lines > (fn.jsx ? COMPONENT_WALL : FUNCTION_WALL) && !excused(`${fn.path} ${fn.name}`))
  expect(long.map((fn) => `${fn.path} ${fn.name} ${fn.lines}`)).toEqual([])
})

test('no folder holds more files than one can see at a glance', () => {
  const root = resolve(import.meta.dirname, '../..')
  const folders = FOLDERS.flatMap((folder) =>
    readdirSync(resolve(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.parentPath.slice(root.length + 1)),
  )
  const counts = [...new Set(folders)].map(
    (folder) => [folder, folders.filter((one) => one === folder).length] as const,
  )
  const full = counts.filter(([folder, count]) => count > FOLDER_WALL && folder !== 'app/routes' && !excused(folder))
  expect(full).toEqual([])
})
