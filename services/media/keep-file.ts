import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { NewDraft } from './drafts.ts'
import type { FileLooks } from './file-looks.ts'
import {
  BEFORE_PURPOSE_BYTES,
  busy,
  byteLimit,
  HEAD_BYTES,
  purposeFirst,
  type Sniffed,
  sniff,
  tooLarge,
  type UploadError,
} from './kinds.ts'
import { type SealedDraft, type SentFile, sealDraft } from './sealed-draft.ts'

/** A file of a form, or why it was not kept. `fileName`: what its sender calls it, for words about it alone. */
export type ReceivedFile = (({ readonly ok: true } & SentFile) | UploadError) & { readonly fileName?: string }

export type Keeping = {
  /** Undefined where the form has not given it yet: then no more is kept than every purpose has room for. */
  purpose: MediaPurpose | undefined
  /** Unless it is of a type for this, and as much as this has room for. */
  assumed?: MediaPurpose | undefined
  newDraft: NewDraft
  looks: FileLooks
  /** Whether a refused file is read to its end all the same, since other parts follow that matter. */
  readOn: boolean
}

/** Writes a file to a sealed draft as it comes, as far as its first bytes and its size allow; null for an empty one. */
export async function keepFile(
  chunks: AsyncIterable<Uint8Array>,
  { readOn, ...keeping }: Keeping,
): Promise<ReceivedFile | null> {
  const keeper = new Keeper(keeping)
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

/** How many bytes are kept, and what more of them come to. */
type Limit = { readonly bytes: number; readonly refusal: UploadError }

class Keeper {
  readonly #purpose: MediaPurpose | undefined
  readonly #assumed: MediaPurpose | undefined
  readonly #newDraft: NewDraft
  readonly #looks: FileLooks
  #size = 0
  /** Bytes that wait until they are enough to recognise the type. */
  #head = NOTHING
  #limit: Limit | undefined
  #draft: SealedDraft | undefined

  constructor({ purpose, assumed, newDraft, looks }: Omit<Keeping, 'readOn'>) {
    this.#purpose = purpose
    this.#assumed = assumed
    this.#newDraft = newDraft
    this.#looks = looks
  }

  async take(chunk: Uint8Array): Promise<UploadError | null> {
    this.#size += chunk.length
    if (this.#limit !== undefined) return this.#size > this.#limit.bytes ? this.#limit.refusal : this.#write(chunk)
    this.#head = Buffer.concat([this.#head, chunk])
    return this.#size < HEAD_BYTES ? null : this.#takeHead()
  }

  async #takeHead(): Promise<UploadError | null> {
    const limit = await this.#looks.at(async () => this.#limitOf(await sniff(this.#head)))
    if ('reason' in limit) return limit
    if (this.#size > limit.bytes) return limit.refusal
    this.#limit = limit
    const head = this.#head
    this.#head = NOTHING
    return this.#write(head)
  }

  #limitOf(sniffed: Sniffed | null): Limit | UploadError {
    const bytes = byteLimit(sniffed, this.#purpose)
    if (typeof bytes !== 'number') return bytes
    if (this.#purpose) return { bytes, refusal: tooLarge }
    const assumed = this.#assumed && byteLimit(sniffed, this.#assumed)
    if (typeof assumed === 'number') return { bytes: assumed, refusal: tooLarge }
    return { bytes: BEFORE_PURPOSE_BYTES, refusal: purposeFirst }
  }

  async finish(): Promise<ReceivedFile | null> {
    if (this.#size === 0) return null
    const refusal = this.#limit === undefined ? await this.#takeHead() : null
    if (refusal) return refusal
    return this.#draft ? { ok: true, ...(await this.#draft.end()) } : null
  }

  async #write(bytes: Uint8Array): Promise<UploadError | null> {
    this.#draft ??= await sealDraft(await this.#newDraft())
    if (await this.#draft.append(bytes)) return null
    await this.#looks.noRoom()
    return busy
  }

  async close(): Promise<void> {
    await this.#draft?.end()
  }
}
