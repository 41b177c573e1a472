import type { OpenFile } from '../sealed-draft.ts'

/** Other bytes for those at a place of a file. */
export type Patch = { readonly at: number; readonly bytes: Buffer }

/** The file as if it had these bytes, which begin and end in the order that they are given in: what is on disk stays. */
export function patched(file: OpenFile, patches: readonly Patch[]): OpenFile {
  const read = async (start: number, end: number) => {
    const first = firstOf(patches, ({ at, bytes }) => at + bytes.length > start)
    const here = patches.slice(
      first,
      firstOf(patches, ({ at }) => at >= end),
    )
    const read = await file.read(start, end)
    if (here.length === 0) return read
    const mended = Buffer.from(read)
    for (const { at, bytes } of here) bytes.copy(mended, Math.max(0, at - start), Math.max(0, start - at))
    return mended
  }
  return { ...file, read }
}

/** From where on this is so; a file may have thousands, and is read as often. */
function firstOf(patches: readonly Patch[], is: (patch: Patch) => boolean): number {
  let [from, to] = [0, patches.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (is(patches[middle]!)) to = middle
    else from = middle + 1
  }
  return from
}
