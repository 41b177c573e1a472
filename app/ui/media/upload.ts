import type { SendAnswer, SendOptions, SentFile } from './send-file.ts'

/** `error` is in the words to show. */
export type UploadAnswer = (SentFile & { ok: true }) | { ok: false; error: string }

/** For a file that did not arrive or cannot be read; for the rest the answer has words (spec 1 §8). */
const FAILED = {
  photo: 'Photo upload failed. Please try again.',
  avatar: 'Avatar upload failed',
  voice: 'Voice upload failed.',
} as const

/** Sends one file. What makes it smaller and sends it is loaded with the first file. */
export async function upload(file: File, options: SendOptions): Promise<UploadAnswer> {
  const sender = await import('./send-file.ts').catch(() => null)
  const answer: SendAnswer = (await sender?.sendFile(file, options)) ?? { ok: false }
  if (answer.ok) return answer
  const message = answer.code === 'upload_failed' ? undefined : answer.error
  return { ok: false, error: message || FAILED[options.purpose] }
}
