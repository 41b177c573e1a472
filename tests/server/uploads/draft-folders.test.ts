import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { draftFolders } from '../../../server/draft-folders.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { startWorld } from '../../support/world.ts'

const [machine, pid, startedAt] = draftFolders().own.split('~')
const ended = `${machine}~${spawnSync('true').pid}~${startedAt}`
const reused = `${machine}~${pid}~before`
const elsewhere = `another-${machine}~${spawnSync('true').pid}~${startedAt}`

test('a folder of drafts is left when its process has ended, and only where that can be known', () => {
  const { own, isLeft } = draftFolders()
  expect(own).toBe(draftFolders().own)
  expect(own).toMatch(/^[\w.~-]+$/)
  expect([ended, reused, own, elsewhere, 'drafts', ''].map(isLeft)).toEqual([true, true, false, false, false, false])
})

test('a product that starts removes what a killed one left of its uploads', async () => {
  const dataDir = tempDir()
  const drafts = [ended, reused, elsewhere].map((name) => join(dataDir, 'media', 'drafts', name, 'half-a-photo'))
  for (const path of drafts) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, 'x')
  }
  const world = await startWorld({ web: false, config: { dataDir } })
  expect(drafts.map(existsSync)).toEqual([false, false, true])
  await world.stop()
})
