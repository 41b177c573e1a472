import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import type { MediaDraft } from './drafts.ts'

const CIPHER = 'aes-256-ctr'
const BLOCK_BYTES = 16

/** Where a sent file is, and what unseals it. Passed to the worker process that parses it, and to nobody else. */
export type SealedFile = { readonly path: string; readonly key: Uint8Array; readonly size: number }

/**
 * What was sent, as it was sent. On disk it is sealed by a key of its own, which is in the memory of this process and of
 * the worker that parses the file alone: papers shown for verification may be in it (security T18), and nobody can read
 * what a killed process left.
 */
export type SentFile = {
  readonly size: number
  readonly sealed: SealedFile
  /** All of it. */
  bytes(): Promise<Buffer>
  /** For reading here and there, until `close`. */
  open(): Promise<OpenFile>
}
export type OpenFile = {
  /** Up to, and without, the byte at `end`. */
  read(start: number, end: number): Promise<Buffer>
  close(): Promise<void>
}

/** A draft on its way: bytes are sealed one after the other. */
export type SealedDraft = {
  /** False, and nothing written, where there is no room for more on its way. */
  append(bytes: Uint8Array): Promise<boolean>
  /** No more comes. Repeats are quiet. */
  end(): Promise<SentFile>
}

export async function sealDraft({ path, take = () => true }: MediaDraft): Promise<SealedDraft> {
  const key = randomBytes(32)
  const cipher = createCipheriv(CIPHER, key, counterAt(0))
  const file = await open(path, 'r+')
  let size = 0
  return {
    async append(bytes) {
      if (!(await take(bytes.length))) return false
      size += bytes.length
      await file.appendFile(cipher.update(bytes))
      return true
    },
    async end() {
      await file.close()
      return openSealed({ path, key, size })
    },
  }
}

/** Of bytes that are all here, and wait for no room. */
export async function sealWhole(draft: MediaDraft, bytes: Uint8Array): Promise<SentFile> {
  const sealed = await sealDraft(draft)
  try {
    await sealed.append(bytes)
  } finally {
    await sealed.end()
  }
  return sealed.end()
}

/** The file in a sealed draft that has come whole. */
export function openSealed(sealed: SealedFile): SentFile {
  const { path, key, size } = sealed
  const unseal = (bytes: Buffer, at: number) => {
    const decipher = createDecipheriv(CIPHER, key, counterAt(at))
    decipher.update(Buffer.alloc(at % BLOCK_BYTES))
    return decipher.update(bytes)
  }
  return {
    size,
    sealed,
    bytes: async () => unseal(await readFile(path), 0),
    async open() {
      const file = await open(path, 'r')
      return {
        async read(start, end) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
          return unseal(buffer.subarray(0, bytesRead), start)
        },
        close: () => file.close(),
      }
    },
  }
}

/** The counter of the block that the byte is in; a key seals one draft, so that counting from zero repeats nothing. */
function counterAt(byte: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES)
  counter.writeBigUInt64BE(BigInt(Math.floor(byte / BLOCK_BYTES)), BLOCK_BYTES / 2)
  return counter
}
