import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld, type World } from '../../support/world.ts'
import { sourceOf } from './rig.ts'

const folder = makeTempDir('letsbuzz-backup-folder-')
let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

test('what an interrupted backup left is removed by the next one, which reports it', async () => {
  const left = join(folder, 'one.partial')
  await mkdir(join(left, 'app'), { recursive: true })
  await writeFile(join(left, 'app', 'half.copy'), 'half')
  const { cleared } = await createBackup(sourceOf(world), join(folder, 'one'))
  expect(cleared).toBe(left)
  expect(existsSync(left)).toBe(false)
  expect(existsSync(join(folder, 'one', 'app', 'half.copy'))).toBe(false)
  expect((await createBackup(sourceOf(world), join(folder, 'other'))).cleared).toBeNull()
})

test('of two backups into one folder at once the second is refused, and the first comes to its end', async () => {
  const both = join(folder, 'both')
  let second: Promise<unknown> | undefined
  const at = () => {
    second ??= createBackup(sourceOf(world), both).catch((error: unknown) => error)
  }
  const first = await createBackup({ ...sourceOf(world), at }, both)
  expect(await second).toMatchObject({ message: expect.stringMatching(/both (is being made|exists) already\./) })
  expect(first.cleared).toBeNull()
  expect((await readdir(folder)).filter((name) => name.startsWith('both'))).toEqual(['both'])
})

test.each(['/dev/full/backup', '/proc/backup'])('%s, which cannot be made, is refused in words', async (name) => {
  await expect(createBackup(sourceOf(world), name)).rejects.toThrow(
    /^\/.*backup\.partial cannot be made \(E[A-Z]+\)\. Name a folder where this user can write\.$/,
  )
})
