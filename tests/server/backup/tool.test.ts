import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DEMO_LOGIN } from '../../../server/demo/login.ts'
import { makeTempDir } from '../../support/temp-folder.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = makeTempDir('letsbuzz-backup-tool-')
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(
  tool: string,
  args: readonly string[],
  DATA_DIR: string,
): Promise<{ code: number; out: string; err: string }> {
  const command = ['--import', 'tsx', join(root, `server/cli/${tool}.ts`), ...args]
  const env = { ...process.env, DATA_DIR }
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: root, env }, (error, out, err) => {
      done({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

test('a data folder that was lost comes back with one command, and half of a restore is not served', async () => {
  const DATA_DIR = join(folder, 'data')
  const backup = join(folder, 'backups', 'one')
  await mkdir(join(folder, 'backups'))
  expect(await run('seed', ['--members', '2'], DATA_DIR)).toMatchObject({ code: 0 })
  const made = await run('backup', ['create', backup], DATA_DIR)
  expect([made.code, made.err.trim().split('\n').at(-1)]).toEqual([0, expect.stringContaining('100 %')])
  expect((await run('backup', ['restore', backup], DATA_DIR)).err).toContain('Add --force')
  const secrets = await readFile(join(DATA_DIR, 'secrets.json'))
  await rm(DATA_DIR, { recursive: true })
  await mkdir(DATA_DIR)
  expect((await run('backup', ['verify', backup], DATA_DIR)).err).toContain('under another MASTER_KEY')
  await writeFile(join(DATA_DIR, 'secrets.json'), secrets)
  await writeFile(join(DATA_DIR, 'restoring'), '')
  expect((await run('admin', ['find', DEMO_LOGIN.email], DATA_DIR)).err).toContain('A restore was cut short here')
  const restored = await run('backup', ['restore', backup], DATA_DIR)
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.out).toMatch(/Restored the backup of .*: \d+ events in /)
  expect((await run('admin', ['find', DEMO_LOGIN.email], DATA_DIR)).out).toMatch(/^[0-9a-z]{24}: active, synthetic/)
}, 180_000)
