import type { SendAnswer, SendOptions, SentFile } from './send-file.ts'

/** `error` is in the words to show. */
export type UploadAnswer = (SentFile & { ok: true }) | { ok: false; error: string }

/** What the call says for any failure; the screens have better words (spec 1 §8). */
const GENERAL = 'Upload failed.'
const FAILED = { photo: 'Photo upload failed. Please try again.', voice: 'Voice upload failed.' } as const

/** Sends one file. What makes it smaller and sends it is loaded with the first file. */
export async function upload(file: File, options: SendOptions): Promise<UploadAnswer> {
  const sender = await import('./send-file.ts').catch(() => null)
  const answer: SendAnswer = (await sender?.sendFile(file, options)) ?? { ok: false }
  if (answer.ok) return answer
  return { ok: false, error: !answer.error || answer.error === GENERAL ? FAILED[options.purpose] : answer.error }
}
