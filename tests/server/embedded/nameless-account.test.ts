import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Account, postgresAccount } from '../../../server/embedded/postgres/account.ts'
import { cacheFolder } from '../../../server/embedded/postgres/binaries.ts'
import { createCluster } from '../../../server/embedded/postgres/cluster.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** This process' own, as if it had no entry in /etc/passwd. */
const uid = process.getuid?.() ?? 0
const account: Account = { ...postgresAccount(), uid, gid: process.getgid?.() ?? 0, other: false, initdbUid: uid }

test('who has no home gets the copy of the Postgres programs into the folder for what is temporary', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('XDG_CACHE_HOME', undefined)
  vi.stubEnv('TMPDIR', tempDir())
  const homeless = () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' })
  }
  expect(cacheFolder(account, homeless)).toBe(join(process.env.TMPDIR ?? '', `letsbuzz-cache-${uid}`))
  const home = tempDir()
  expect(cacheFolder(account, () => home)).toBe(join(home, '.cache', 'letsbuzz'))
})

test('a cluster that Postgres makes only for a user with a name is refused with what to do', async () => {
  const folder = tempDir()
  const complaining = (words: string) => {
    const initdb = join(folder, 'initdb')
    writeFileSync(initdb, `#!/bin/sh\necho "initdb: ${words}" >&2\nexit 1\n`, { mode: 0o755 })
    const binaries = { postgres: '', initdb, major: '18' }
    return createCluster({ dataDir: join(folder, 'postgres'), binaries, account, fast: true }, 'a password')
  }
  await expect(complaining('could not look up effective user ID 4242: user does not exist')).rejects.toThrow(
    `only for a user that has a name, and ${uid} has none on this machine. Start as a user that is in /etc/passwd`,
  )
  await expect(complaining('no space')).rejects.toThrow('Making the Postgres data folder failed (1): initdb: no space')
})
