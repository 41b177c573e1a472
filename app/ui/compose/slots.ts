import type { SentFile } from '../media/send-file.ts'
import type { UploadAnswer } from '../media/upload.ts'

/** A place for one file, and where the file is on its way. */
export type Slot = {
  readonly key: string
  readonly name: string
  /** What the browser shows of it. */
  readonly preview: string
  readonly isVideo: boolean
} & (
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly share: number }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'sent'; readonly id: string }
)

/** Sends one file; `signal` takes it back. */
export type Send = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<UploadAnswer>

/** A slot as the server knows it. */
export const sentSlot = ({ id, url, kind }: SentFile, name: string): Slot => ({
  key: id,
  id,
  name,
  preview: url,
  isVideo: kind === 'video',
  state: 'sent',
})

/** The same slots with one of them moved by so many places, as far as there are places. */
export function moved(slots: readonly Slot[], key: string, by: number): readonly Slot[] {
  const from = slots.findIndex((one) => one.key === key)
  const to = from + by
  const slot = slots[from]
  if (!slot || to < 0 || to >= slots.length) return slots
  const rest = slots.filter((one) => one !== slot)
  return [...rest.slice(0, to), slot, ...rest.slice(to)]
}
