import type { OpenFile } from '../sealed-draft.ts'

/** The last bytes of a file, which may be the size of a table at its end. */
const WORD_BYTES = 4

/**
 * The same file without the table of its fragments: a parser finds one by the last bytes alone, wherever it lies, and goes by the
 * places that it names. Whoever reads one fragment after the other needs none.
 */
export async function withoutEndTable(file: OpenFile, fileBytes: number): Promise<OpenFile> {
  if (!(await hasEndTable(file, fileBytes))) return file
  const wordAt = fileBytes - WORD_BYTES
  return {
    ...file,
    async read(start, end) {
      const bytes = await file.read(start, end)
      return end > wordAt ? Buffer.from(bytes).fill(0, Math.max(0, wordAt - start)) : bytes
    },
  }
}

async function hasEndTable(file: OpenFile, fileBytes: number): Promise<boolean> {
  if (fileBytes < WORD_BYTES) return false
  const at = fileBytes - (await file.read(fileBytes - WORD_BYTES, fileBytes)).readUInt32BE(0)
  if (at < 0 || at + 8 > fileBytes) return false
  return (await file.read(at + 4, at + 8)).toString('latin1') === 'mfra'
}
