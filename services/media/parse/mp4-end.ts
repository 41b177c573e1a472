import type { OpenFile } from '../sealed-draft.ts'
import type { Patch } from './patched.ts'

/** The last bytes of a file, which may be the size of a table at its end. */
const WORD_BYTES = 4

/**
 * Hides the table of a file's fragments: a parser finds one by the last bytes alone, wherever it lies, and goes by the places
 * that it names. Whoever reads one fragment after the other needs none.
 */
export async function endPatch(file: OpenFile, fileBytes: number): Promise<Patch[]> {
  const at = fileBytes - WORD_BYTES
  return (await hasEndTable(file, fileBytes)) ? [{ at, bytes: Buffer.alloc(WORD_BYTES) }] : []
}

async function hasEndTable(file: OpenFile, fileBytes: number): Promise<boolean> {
  if (fileBytes < WORD_BYTES) return false
  const at = fileBytes - (await file.read(fileBytes - WORD_BYTES, fileBytes)).readUInt32BE(0)
  if (at < 0 || at + 8 > fileBytes) return false
  return (await file.read(at + 4, at + 8)).toString('latin1') === 'mfra'
}
