import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askBeside } from '../../../server/tools/backup/beside.ts'
import { createErasedLedger, ledgerPathOf } from '../../../services/erased-ledger.ts'
import { randomId } from '../../../services/random-id.ts'
import { tempDir } from '../../support/temp-dir.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

async function ledgerOf(id: string) {
  const dataDir = join(tempDir(), 'data')
  mkdirSync(dataDir)
  const ledger = createErasedLedger(dataDir)
  await ledger.add([id])
  return { ledger, beside: ledgerPathOf(dataDir) }
}

test('the ledger of the erased is read of files that this account alone writes to', async () => {
  const id = randomId()
  const { ledger, beside } = await ledgerOf(id)
  expect([...(await ledger.read())]).toEqual([id])
  chmodSync(beside, 0o644)
  expect([...(await ledger.read())]).toEqual([id])
  for (const mode of [0o664, 0o666]) {
    chmodSync(beside, mode)
    await expect(ledger.read()).rejects.toThrow('others may have written it')
  }
  await expect(ledger.add([randomId()])).rejects.toThrow('others may have written it')
})

test('a link or a pipe in its place is not read, nor written to', async () => {
  const { ledger, beside } = await ledgerOf(randomId())
  const elsewhere = `${beside}.elsewhere`
  renameSync(beside, elsewhere)
  symlinkSync(elsewhere, beside)
  await expect(ledger.read()).rejects.toThrow('others may have written it')
  await expect(ledger.add([randomId()])).rejects.toThrow('others may have written it')
  renameSync(elsewhere, `${elsewhere}.away`)
  renameSync(beside, elsewhere)
  execFileSync('mkfifo', [beside])
  await expect(ledger.read()).rejects.toThrow('others may have written it')
})

test.runIf(isRoot)('a ledger of another account is not read', async () => {
  const { ledger, beside } = await ledgerOf(randomId())
  chownSync(beside, NOBODY, NOBODY)
  await expect(ledger.read()).rejects.toThrow('others may have written it')
})

test('a pipe beside a backup keeps no restore waiting: it is named as what did not answer', async () => {
  const folder = tempDir()
  for (const name of ['ours', 'pipe', 'erased']) mkdirSync(join(folder, name))
  execFileSync('mkfifo', [join(folder, 'pipe', 'manifest.json')])
  writeFileSync(join(folder, 'erased', 'manifest.json'), '{}')
  execFileSync('mkfifo', [join(folder, 'erased', 'erased')])
  const { unasked } = await askBeside(join(folder, 'ours'), Buffer.alloc(32, 1))
  expect(unasked).toEqual([join(folder, 'erased'), join(folder, 'pipe')])
})
