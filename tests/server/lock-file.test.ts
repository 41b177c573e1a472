import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LockTaken, takeLock } from '../../server/embedded/lifecycle/lock-file.ts'
import { identityOf, isAlive, isRunning } from '../../server/embedded/lifecycle/process-identity.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a lock is taken once, and free again after its release', () => {
  const path = join(tempDir(), 'a.lock')
  const lock = takeLock(path)
  expect(() => takeLock(path)).toThrow(LockTaken)
  expect(() => takeLock(path)).toThrow(`${path} is in use by process ${process.pid}.`)
  lock.release()
  takeLock(path).release()
})

test.each([
  ['of a process that has ended', () => JSON.stringify({ pid: spawnSync('true').pid, startTime: 'x' })],
  ['of a process whose number another one got', () => JSON.stringify({ pid: process.pid, startTime: 'before' })],
  ['that was never whole', () => '{"pid":'],
])('a lock %s is taken over', (_what, content) => {
  const folder = tempDir()
  const path = join(folder, 'a.lock')
  writeFileSync(path, content())
  const lock = takeLock(path)
  expect(() => takeLock(path)).toThrow(LockTaken)
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a release leaves the lock of another holder alone', () => {
  const folder = tempDir()
  const path = join(folder, 'a.lock')
  const lock = takeLock(path)
  writeFileSync(path, JSON.stringify(identityOf(process.ppid)))
  lock.release()
  expect(readdirSync(folder)).toEqual(['a.lock'])
})

test('a process is known by number and start', () => {
  const me = identityOf(process.pid)
  expect(isRunning(me)).toBe(true)
  expect(isRunning({ ...me, startTime: 'other' })).toBe(false)
  expect(isAlive(0)).toBe(false)
})
