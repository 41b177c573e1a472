import type { OpenFile } from '../sealed-draft.ts'
import { boxesIn, headerOf, insideOf } from './mp4-boxes.ts'
import { type Claimed, claimedBy, NOTHING_CLAIMED } from './mp4-length.ts'

const KIB = 1024
/** Of an index, or of a fragment's; that of a minute is far smaller. */
const MAX_INDEX_BYTES = 8 * KIB * KIB
const MAX_BOXES = 50_000
/** Boxes within boxes of an index; that of a clip has five. */
const MAX_DEPTH = 8
/** Bytes of an entry of the tables that begin with their count. */
const ENTRY_BYTES: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stsc: 12, stco: 4, co64: 8, stss: 4 }
/** Tables that a parser takes by their name, wherever it comes upon it. */
const TABLES = [...Object.keys(ENTRY_BYTES), 'stsz', 'stz2', 'trun', 'tfra']
/** Which fields each sample of a `trun` has, of four bytes each. */
const TRUN_FIELDS = 0xf00

/**
 * Throws where a table of an MP4 promises more entries than its box has room for, or more samples than the file has bytes:
 * a parser takes memory and time by what is promised. Answers the length that its index claims.
 */
export async function checkTables(file: OpenFile, fileBytes: number): Promise<Claimed> {
  let boxes = 0
  let claimed = NOTHING_CLAIMED
  for (let at = 0; at + 8 <= fileBytes; boxes++) {
    if (boxes > MAX_BOXES) throw new Error('Too many boxes.')
    const { name, size } = headerOf(await file.read(at, Math.min(at + 16, fileBytes)), fileBytes - at)
    if (name === 'moov' || name === 'moof') {
      if (size > MAX_INDEX_BYTES) throw new Error('Too large an index.')
      const index = await file.read(at, at + size)
      checkInside(index, { fileBytes, boxes: 0 })
      if (name === 'moov') claimed = claimedBy(index)
    }
    at += size
  }
  return claimed
}

/** Before anybody else goes through an index: whoever does takes time by its boxes, and by how deep they lie. */
function checkInside(body: Buffer, seen: { readonly fileBytes: number; boxes: number }, depth = 0): void {
  if (depth > MAX_DEPTH) throw new Error('Boxes too deep within each other.')
  for (const box of boxesIn(body)) {
    seen.boxes += 1
    if (seen.boxes > MAX_BOXES) throw new Error('Too many boxes.')
    const inside = insideOf(box)
    if (inside) checkInside(inside, seen, depth + 1)
    else checkTable(box.name, box.body, seen.fileBytes)
  }
}

/** `body` begins with version and flags. */
function checkTable(name: string, body: Buffer, fileBytes: number): void {
  const entryBytes = ENTRY_BYTES[name]
  if (entryBytes) {
    const count = body.readUInt32BE(4)
    refuseIf(count * entryBytes > body.length - 8)
    if (name === 'stts' || name === 'ctts') refuseIf(samplesOf(body, count) > fileBytes)
    if (name === 'stsc') checkChunks(body, count, fileBytes)
  }
  if (name === 'stsz') {
    const [each, count] = [body.readUInt32BE(4), body.readUInt32BE(8)]
    refuseIf(each === 0 ? count * 4 > body.length - 12 : count * each > fileBytes)
  }
  if (name === 'stz2') {
    const [bits, count] = [body.readUInt8(7), body.readUInt32BE(8)]
    refuseIf(bits < 4 || count * bits > (body.length - 12) * 8)
  }
  // Of the end of a file, where nobody looks for it.
  refuseIf(name === 'tfra')
  // Boxes lie in it behind fields whose length is that of their kind.
  if (name === 'stsd') refuseIf(TABLES.some((table) => body.includes(table, 0, 'latin1')))
  if (name === 'trun') {
    const fields = bitsOf(body.readUInt32BE(0) & TRUN_FIELDS)
    const count = body.readUInt32BE(4)
    refuseIf(fields === 0 ? count > fileBytes : count * fields * 4 > body.length - 8)
  }
}

function samplesOf(body: Buffer, count: number): number {
  let samples = 0
  for (let entry = 0; entry < count; entry++) samples += body.readUInt32BE(8 + entry * 8)
  return samples
}

/** Chunks are counted upwards. */
function checkChunks(body: Buffer, count: number, fileBytes: number): void {
  for (let entry = 0, last = 0; entry < count; entry++) {
    const [first, samples] = [body.readUInt32BE(8 + entry * 12), body.readUInt32BE(12 + entry * 12)]
    refuseIf(first <= last || samples > fileBytes)
    last = first
  }
}

const bitsOf = (flags: number) => [...flags.toString(2)].filter((bit) => bit === '1').length

function refuseIf(promisesTooMuch: boolean): void {
  if (promisesTooMuch) throw new Error('A table that promises more than there is.')
}
