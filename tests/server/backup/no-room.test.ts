import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { copyToSink } from '../../../server/tools/backup/copy.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { copyHashed, writeHashed } from '../../../server/tools/backup/files.ts'
import { connected } from '../../../server/tools/backup/snapshot.ts'
import { testDatabase } from '../../support/postgres.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld, type World } from '../../support/world.ts'
import { sourceOf } from './rig.ts'

const folder = makeTempDir('letsbuzz-no-room-')
const taken = join(folder, 'taken')
let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
  await writeFile(taken, 'nothing more can be written here')
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

// A file that stands there already refuses writes as a full disk does, and on every machine.
test('a large file that finds no room says so instead of waiting', async () => {
  const film = join(folder, 'film')
  await writeFile(film, Buffer.alloc(8 * 1024 * 1024))
  await expect(copyHashed(film, taken)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(copyHashed(join(folder, 'none'), join(folder, 'copy'))).resolves.toBeNull()
  await expect(copyHashed(film, join(folder, 'copied'))).resolves.toMatchObject({ bytes: 8 * 1024 * 1024 })
})

test('a large table that finds no room says so instead of waiting', async () => {
  const { config, drop } = await testDatabase()
  onTestFinished(drop)
  const rows = `copy (select repeat('x', 1000) from generate_series(1, 50000)) to stdout (format binary)`
  const written = connected(config, (client) => writeHashed(taken, (sink) => copyToSink(client, rows, sink)))
  await expect(written).rejects.toMatchObject({ code: 'EEXIST' })
})

test('a backup that fails says why and leaves nothing behind', async () => {
  const ann = await world.member('Ann')
  const [picture] = await world.services.media.list({ member: ann.id })
  const { id } = picture!
  const path = join(world.dataDir, 'media', id.slice(0, 2), id.slice(2, 4), id)
  await rm(path)
  await mkdir(path)
  await expect(createBackup(sourceOf(world), join(folder, 'one'))).rejects.toMatchObject({ code: 'EISDIR' })
  expect((await readdir(folder)).filter((name) => name.startsWith('one'))).toEqual([])
  expect(existsSync(path)).toBe(true)
})
