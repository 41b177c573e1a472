import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { makeTempDir } from './temp-folder.ts'

/** A folder that is removed when the current test ends; every user can enter it. */
export function tempDir(): string {
  const folder = makeTempDir('letsbuzz-test-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
