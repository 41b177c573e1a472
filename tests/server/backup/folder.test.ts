import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { verifyFiles } from '../../../server/tools/backup/manifest.ts'
import { connected } from '../../../server/tools/backup/snapshot.ts'
import { openWorkingFolder } from '../../../server/tools/backup/working-folder.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld, type World } from '../../support/world.ts'
import { sourceOf } from './rig.ts'

/** Of Linux. */
const NOBODY = 65_534
const folder = makeTempDir('letsbuzz-backup-folder-')
let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const workOf = (name: string) =>
  join(folder, readdirSync(folder).find((one) => one.startsWith(`${name}.partial-`)) ?? 'nothing')

/** Makes a backup, and does something once all but its manifest is written. */
async function backupWhile(name: string, work: (path: string) => void) {
  const at = () => {
    const path = workOf(name)
    if (existsSync(join(path, 'erased'))) work(path)
  }
  return createBackup({ ...sourceOf(world), at }, join(folder, name))
}

/** As a backup that was killed leaves it. */
async function interrupted(name: string): Promise<string> {
  let left = ''
  await backupWhile(name, (path) => {
    left = path
  })
  if (left === '') throw new Error('Nothing was seen of the backup while it was made.')
  await rm(join(folder, name), { recursive: true })
  await mkdir(join(left, 'app'), { recursive: true })
  await writeFile(join(left, 'app', 'half.copy'), 'half')
  return left
}

test('what an interrupted backup left is removed by the next one, which reports it', async () => {
  const left = await interrupted('one')
  const { cleared } = await createBackup(sourceOf(world), join(folder, 'one'))
  expect(cleared).toEqual([left])
  expect((await readdir(folder)).filter((name) => name.startsWith('one'))).toEqual(['one'])
  expect(existsSync(join(folder, 'one', 'app', 'half.copy'))).toBe(false)
  expect((await createBackup(sourceOf(world), join(folder, 'other'))).cleared).toEqual([])
})

/** As an account that may not look into the folder: without being root, nobody may. */
async function asAnother<T>(left: string, work: () => Promise<T>): Promise<T> {
  await chmod(left, process.getuid?.() === 0 ? 0o700 : 0)
  await chmod(folder, 0o777)
  if (process.getuid?.() === 0) process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    if (process.getuid?.() === 0) process.seteuid?.(0)
    await chmod(left, 0o700)
  }
}

test('what another account left is reported, and keeps no backup from being made', async () => {
  const left = await interrupted('theirs')
  await connected(sourceOf(world).app, async (client) => {
    const work = await asAnother(left, () => openWorkingFolder(client, join(folder, 'theirs')))
    expect(work).toMatchObject({ cleared: [], stuck: [left] })
    expect((await readdir(folder)).filter((name) => name.startsWith('theirs')).sort()).toEqual(
      [basename(work.path), basename(left)].sort(),
    )
  })
  expect((await createBackup(sourceOf(world), join(folder, 'theirs'))).cleared).toHaveLength(2)
})

test('a folder that no backup of this database has left is not removed', async () => {
  const left = await interrupted('kept')
  const elsewhere = left.replace(/-[0-9a-f]{16}-/, `-${'0'.repeat(16)}-`)
  const others = ['kept.partial', 'kept.partial-notes', `${basename(left)}-copy`, basename(elsewhere)]
  for (const name of others) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'mine'), 'of somebody')
  }
  expect((await createBackup(sourceOf(world), join(folder, 'kept'))).cleared).toEqual([left])
  for (const name of others) expect(existsSync(join(folder, name, 'mine')), name).toBe(true)
})

test('the folder of a backup that is under way is not removed, whichever path it was named by', async () => {
  const left = await interrupted('busy')
  await connected(sourceOf(world).app, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('backup-work'), hashtext($1))`, [basename(left)])
    expect((await createBackup(sourceOf(world), join(folder, 'busy'))).cleared).toEqual([])
  })
  expect(existsSync(join(left, 'app', 'half.copy'))).toBe(true)
})

test('of two backups into one folder by two paths the second is refused, and the first is whole', async () => {
  await mkdir(join(folder, 'real'))
  await symlink(join(folder, 'real'), join(folder, 'link'))
  const [real, linked] = ['real', 'link'].map((name) => join(folder, name, 'new', 'two')) as [string, string]
  let second: Promise<unknown> | undefined
  const at = () => {
    second ??= createBackup(sourceOf(world), linked).catch((error: unknown) => error)
  }
  const { manifest } = await createBackup({ ...sourceOf(world), at }, real)
  expect(await second).toMatchObject({ message: expect.stringMatching(/two (is being made|exists) already\./) })
  await verifyFiles(linked, manifest, () => undefined)
  expect(await readdir(join(folder, 'real', 'new'))).toEqual(['two'])
})

test.each([
  ['a file of it is removed', (work: string) => rmSync(join(work, 'log', 'event.copy')), /event\.copy was removed or/],
  [
    'a file of it is cut',
    (work: string) => truncateSync(join(work, 'log', 'event.copy'), 3),
    /event\.copy was removed/,
  ],
  ['all of it is removed', (work: string) => rmSync(work, { recursive: true }), /\.partial-[\w-]+ was removed or/],
])('a backup is none where %s while it is made', async (_what, harm, why) => {
  await expect(backupWhile('harmed', harm)).rejects.toThrow(why)
  expect((await readdir(folder)).filter((name) => name.startsWith('harmed'))).toEqual([])
})

test.each(['empty', 'full'])('a folder of that name that comes meanwhile stays as it is, %s', async (how) => {
  const there = join(folder, how)
  const made = backupWhile(how, () => void mkdirSync(how === 'full' ? join(there, 'mine') : there, { recursive: true }))
  await expect(made).rejects.toThrow(`${there} was made by somebody else meanwhile, and stays as it is.`)
  expect(await readdir(there)).toEqual(how === 'full' ? ['mine'] : [])
  expect((await readdir(folder)).filter((name) => name.startsWith(how))).toEqual([how])
})

test('of two backups into one folder at once the second is refused, and the first comes to its end', async () => {
  const both = join(folder, 'both')
  let second: Promise<unknown> | undefined
  const at = () => {
    second ??= createBackup(sourceOf(world), both).catch((error: unknown) => error)
  }
  const first = await createBackup({ ...sourceOf(world), at }, both)
  expect(await second).toMatchObject({ message: expect.stringMatching(/both (is being made|exists) already\./) })
  expect(first.cleared).toEqual([])
  expect((await readdir(folder)).filter((name) => name.startsWith('both'))).toEqual(['both'])
})

test.each(['/dev/full/backup', '/proc/backup'])('%s, which cannot be made, is refused in words', async (name) => {
  await expect(createBackup(sourceOf(world), name)).rejects.toThrow(
    /^\/.*backup cannot be made \(E[A-Z]+\)\. Name a folder where this user can write\.$/,
  )
})
