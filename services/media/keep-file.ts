import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { NewDraft } from './drafts.ts'
import { busy, byteLimit, HEAD_BYTES, sniff, tooLarge, type UploadError } from './kinds.ts'
import { type SealedDraft, type SentFile, sealDraft } from './sealed-draft.ts'

/** A file of a form, or why it was not kept. `fileName`: what its sender calls it, for words about it alone. */
export type ReceivedFile = (({ readonly ok: true } & SentFile) | UploadError) & { readonly fileName?: string }

export type Keeping = {
  /** Undefined where the form has not given it yet: the limits are those of the type alone. */
  purpose: MediaPurpose | undefined
  newDraft: NewDraft
  /** Whether a refused file is read to its end all the same, since other parts follow that matter. */
  readOn: boolean
}

/** Writes a file to a sealed draft as it comes, as far as its first bytes and its size allow; null for an empty one. */
export async function keepFile(
  chunks: AsyncIterable<Uint8Array>,
  { purpose, newDraft, readOn }: Keeping,
): Promise<ReceivedFile | null> {
  const keeper = new Keeper(purpose, newDraft)
  let refusal: UploadError | null = null
  try {
    for await (const chunk of chunks) {
      refusal ??= await keeper.take(chunk)
      if (refusal && !readOn) return refusal
    }
    return refusal ?? (await keeper.finish())
  } finally {
    await keeper.close()
  }
}

const NOTHING = Buffer.alloc(0)

class Keeper {
  readonly #purpose: MediaPurpose | undefined
  readonly #newDraft: NewDraft
  #size = 0
  /** Bytes that wait until they are enough to recognise the type. */
  #head = NOTHING
  #limit: number | undefined
  #draft: SealedDraft | undefined

  constructor(purpose: MediaPurpose | undefined, newDraft: NewDraft) {
    this.#purpose = purpose
    this.#newDraft = newDraft
  }

  async take(chunk: Uint8Array): Promise<UploadError | null> {
    this.#size += chunk.length
    if (this.#limit === undefined) return this.#takeHead(chunk)
    if (this.#size > this.#limit) return tooLarge
    return this.#write(chunk)
  }

  async #takeHead(chunk: Uint8Array): Promise<UploadError | null> {
    this.#head = Buffer.concat([this.#head, chunk])
    if (this.#size < HEAD_BYTES) return null
    const limit = byteLimit(await sniff(this.#head), this.#purpose)
    if (typeof limit !== 'number') return limit
    if (this.#size > limit) return tooLarge
    this.#limit = limit
    const head = this.#head
    this.#head = NOTHING
    return this.#write(head)
  }

  /** What is smaller than a head is judged by whoever processes it. */
  async finish(): Promise<ReceivedFile | null> {
    if (this.#size === 0) return null
    const refusal = this.#limit === undefined ? await this.#write(this.#head) : null
    if (refusal) return refusal
    return this.#draft ? { ok: true, ...(await this.#draft.end()) } : null
  }

  async #write(bytes: Uint8Array): Promise<UploadError | null> {
    this.#draft ??= await sealDraft(await this.#newDraft())
    return (await this.#draft.append(bytes)) ? null : busy
  }

  async close(): Promise<void> {
    await this.#draft?.end()
  }
}
