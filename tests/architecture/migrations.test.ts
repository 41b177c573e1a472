import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PINNED = join(ROOT, 'tests/golden/migrations.json')
const COMMAND = 'UPDATE_GOLDEN=1 npx vitest run --project architecture tests/architecture/migrations.test.ts'
const HOW = 'docs/how-to/add-a-migration.md says how'

type Hashes = Readonly<Record<string, string>>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

function migrationFiles(): Hashes {
  const names = readdirSync(join(ROOT, 'migrations')).filter((name) => /^\d.*\.ts$/.test(name))
  return Object.fromEntries(
    names.sort().map((name) => [name, hashOf(readFileSync(join(ROOT, 'migrations', name), 'utf8'))]),
  )
}

/** The hashes as they are pinned; `UPDATE_GOLDEN=1` adds those of new files, and touches none that is there. */
function pinnedHashes(files: Hashes): Hashes {
  const pinned = JSON.parse(readFileSync(PINNED, 'utf8')) as Hashes
  if (process.env.UPDATE_GOLDEN !== '1') return pinned
  const next = Object.entries({ ...files, ...pinned }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(PINNED, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`)
  return Object.fromEntries(next)
}

function problemsOf(files: Hashes, pinned: Hashes): string[] {
  const found = Object.entries(files).flatMap(([name, hash]) => {
    if (!(name in pinned)) return [`${name} is not pinned yet. Once it is ready, run: ${COMMAND}`]
    if (pinned[name] === hash) return []
    return [
      `${name} is not what was pinned. It has run where it was released, and never will again: put it back, and add a new migration; ${HOW}.`,
    ]
  })
  const lost = Object.keys(pinned).filter((name) => !(name in files))
  return [
    ...found,
    ...lost.map((name) => `${name} is pinned and not there: a database that has run it refuses to start.`),
  ]
}

test('a migration that is in the list never changes', () => {
  const files = migrationFiles()
  expect(problemsOf(files, pinnedHashes(files))).toEqual([])
})

test('every migration is in the list, under its own name', () => {
  const index = readFileSync(join(ROOT, 'migrations/index.ts'), 'utf8')
  const listed = [...index.matchAll(/^ {2}'(\w+-[\w-]+)': /gm)].map(([, name]) => `${name}.ts`)
  expect(listed).toEqual(Object.keys(migrationFiles()))
})

test('one that changed, one that is new and one that is gone are each named', () => {
  const problems = problemsOf({ 'a.ts': '1', 'b.ts': '2', 'c.ts': '3' }, { 'a.ts': '1', 'b.ts': '0', 'd.ts': '4' })
  expect(problems.map((line) => line.split('.ts')[0])).toEqual(['b', 'c', 'd'])
})
