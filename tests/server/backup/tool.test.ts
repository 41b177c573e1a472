import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DEMO_LOGIN } from '../../../server/demo/login.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { runTool, runToolHere } from '../../support/tool.ts'

const folder = makeTempDir('letsbuzz-backup-tool-')
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a data folder that was lost comes back with one command, and half of a restore is not served', async () => {
  const DATA_DIR = join(folder, 'data')
  const backup = join(folder, 'backups', 'one')
  await mkdir(join(folder, 'backups'))
  expect(await runToolHere('seed', ['--members', '2'], { DATA_DIR })).toMatchObject({ code: 0 })
  const made = await runToolHere('backup', ['create', backup], { DATA_DIR })
  expect([made.code, made.err.trim().split('\n').at(-1)]).toEqual([0, expect.stringContaining('100 %')])
  expect((await runToolHere('backup', ['restore', backup], { DATA_DIR })).err).toContain('Add --force')
  const secrets = await readFile(join(DATA_DIR, 'secrets.json'))
  await rm(DATA_DIR, { recursive: true })
  await mkdir(DATA_DIR)
  expect((await runToolHere('backup', ['verify', backup], { DATA_DIR })).err).toContain('under another MASTER_KEY')
  await writeFile(join(DATA_DIR, 'secrets.json'), secrets)
  await writeFile(join(DATA_DIR, 'restoring'), '')
  expect((await runToolHere('admin', ['find', DEMO_LOGIN.email], { DATA_DIR })).err).toContain(
    'A restore was interrupted here',
  )
  const restored = await runTool('backup', ['restore', backup], { DATA_DIR })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.out).toMatch(/Restored the backup of .*: \d+ events in /)
  expect((await runToolHere('admin', ['find', DEMO_LOGIN.email], { DATA_DIR })).out).toMatch(
    /^[0-9a-z]{24}: active, synthetic/,
  )
}, 180_000)
