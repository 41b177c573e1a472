import type { OpenFile } from '../sealed-draft.ts'

/** Of a page, before the table of what lies in it, whose length is the last of them. */
const HEAD_BYTES = 27
const MAX_TABLE_BYTES = 255
/** Whether a stream begins with the page. */
const BEGINS = 0x02

/** How many streams a sound may have beside each other; most have one. */
const MAX_STREAMS = 8

/** Throws where more streams begin than a sound has: for each, a parser looks for its next page up to the end of the file. */
export async function checkStreams(file: OpenFile, fileBytes: number): Promise<void> {
  for (let at = 0, streams = 0; at + HEAD_BYTES <= fileBytes; streams++) {
    const head = await file.read(at, Math.min(at + HEAD_BYTES + MAX_TABLE_BYTES, fileBytes))
    if (head.toString('latin1', 0, 4) !== 'OggS' || (head.readUInt8(5) & BEGINS) === 0) return
    if (streams >= MAX_STREAMS) throw new Error('Too many streams.')
    const table = head.subarray(HEAD_BYTES, HEAD_BYTES + head.readUInt8(HEAD_BYTES - 1))
    at += HEAD_BYTES + table.length + table.reduce((sum, bytes) => sum + bytes, 0)
  }
}
