import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import { masterKeysIn, openSecrets } from '../../server/secrets.ts'
import { tempDir } from '../support/temp-dir.ts'

test('the first start makes secrets that every later start finds again', () => {
  const config = loadConfig({ DATA_DIR: tempDir() })
  const first = openSecrets(config)
  expect(first.masterKey).toHaveLength(32)
  expect(first.emailPepper.length).toBeGreaterThanOrEqual(32)
  expect(first.mediaSecret).not.toBe(first.emailPepper)
  expect(openSecrets(config)).toEqual(first)
})

test('only their owner can read the secrets, and nothing is left beside them', async () => {
  const dataDir = tempDir()
  openSecrets(loadConfig({ DATA_DIR: dataDir }))
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
})

test('a secret of the environment wins over the kept one', () => {
  const dataDir = tempDir()
  const kept = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  const pepper = 'p'.repeat(32)
  const mixed = openSecrets(loadConfig({ DATA_DIR: dataDir, EMAIL_PEPPER: pepper }))
  expect(mixed).toEqual({ ...kept, emailPepper: pepper })
})

test('with all three in the environment no file is made', async () => {
  const dataDir = tempDir()
  const MASTER_KEY = Buffer.alloc(32, 1).toString('base64')
  const long = 's'.repeat(32)
  openSecrets(loadConfig({ DATA_DIR: dataDir, MASTER_KEY, EMAIL_PEPPER: long, MEDIA_SECRET: long }))
  expect(await readdir(dataDir)).toEqual([])
})

test('a damaged file stops the start instead of being replaced, and is not quoted', () => {
  const dataDir = tempDir()
  writeFileSync(join(dataDir, 'secrets.json'), '{"masterKey":"c2VjcmV0"}')
  const open = () => openSecrets(loadConfig({ DATA_DIR: dataDir }))
  expect(open).toThrow(/secrets\.json is damaged/)
  expect(open).not.toThrow(/c2VjcmV0/)
})

test('while the master key is rotated the kept file names the one before, which is read behind the new one', () => {
  const dataDir = tempDir()
  const { masterKey } = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  const path = join(dataDir, 'secrets.json')
  const [before, next] = [masterKey.toString('base64'), Buffer.alloc(32, 9).toString('base64')]
  const kept = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...kept, masterKey: next, masterKeyOld: before }))
  const rotating = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  expect(masterKeysIn(rotating)).toEqual([Buffer.alloc(32, 9), masterKey])
  const same = { masterKey, masterKeyOld: Buffer.from(masterKey), masterKeyNext: Buffer.alloc(32, 9) }
  expect(masterKeysIn(same)).toEqual([masterKey, Buffer.alloc(32, 9)])
  expect(masterKeysIn({ ...same, masterKeyOld: same.masterKeyNext })).toEqual([masterKey, Buffer.alloc(32, 9)])
  const named = openSecrets(loadConfig({ DATA_DIR: dataDir, MASTER_KEY: before, MASTER_KEY_NEXT: next }))
  expect(masterKeysIn(named)[0]).toEqual(masterKey)
})
