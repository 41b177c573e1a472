import type { OpenFile } from '../sealed-draft.ts'

/** Other bytes for those at a place of a file. */
export type Patch = { readonly at: number; readonly bytes: Buffer }

/** The file as if it had these bytes: what is on disk stays. */
export function patched(file: OpenFile, patches: readonly Patch[]): OpenFile {
  const read = async (start: number, end: number) => {
    const here = patches.filter(({ at, bytes }) => at < end && at + bytes.length > start)
    const read = await file.read(start, end)
    if (here.length === 0) return read
    const mended = Buffer.from(read)
    for (const { at, bytes } of here) bytes.copy(mended, Math.max(0, at - start), Math.max(0, start - at))
    return mended
  }
  return { ...file, read }
}
