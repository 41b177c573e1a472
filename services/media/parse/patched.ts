import type { OpenFile } from '../sealed-draft.ts'

/** Other bytes for those at a place of a file. */
export type Patch = { readonly at: number; readonly bytes: Buffer }

/** The file as if it had these bytes, which lie in the order of their places: what is on disk stays. */
export function patched(file: OpenFile, patches: readonly Patch[]): OpenFile {
  const read = async (start: number, end: number) => {
    const read = await file.read(start, end)
    const first = firstBehind(patches, start)
    if (!(patches[first] && patches[first].at < end)) return read
    const mended = Buffer.from(read)
    for (let next = first; patches[next] && patches[next].at < end; next++) {
      const { at, bytes } = patches[next]
      bytes.copy(mended, Math.max(0, at - start), Math.max(0, start - at))
    }
    return mended
  }
  return { ...file, read }
}

/** Where those begin that end behind a place: a file has thousands, and is read as often. */
function firstBehind(patches: readonly Patch[], place: number): number {
  let [from, to] = [0, patches.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const { at, bytes } = patches[middle]!
    if (at + bytes.length > place) to = middle
    else from = middle + 1
  }
  return from
}
