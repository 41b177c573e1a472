import type { MediaId } from '../../../domain/shared/ids.ts'
import { uploadMedia } from '../../../usecases/media/upload-media.ts'
import { done } from '../../../usecases/outcome.ts'
import type { Acting } from '../../../usecases/ports.ts'

/** What the upload says for any failure; each purpose has better words (spec 1 §8). */
const GENERAL = 'Upload failed.'
const FAILED = {
  photo: 'Photo upload failed. Please try again.',
  avatar: 'Avatar upload failed',
  voice: 'Voice upload failed',
} as const

/** What came of taking something, in words where it was refused. */
export type Taken<T> = { ok: true; value: T } | { ok: false; status: number; error: string }

/** Takes a file that a plain form brought along. */
export async function takeFile(
  acting: Acting,
  { file, purpose }: { file: File; purpose: keyof typeof FAILED },
): Promise<Taken<MediaId>> {
  const uploaded = await uploadMedia(acting, { member: acting.who.member }, { file, purpose })
  if (uploaded.ok) return done(uploaded.value.id)
  const { status, error } = uploaded
  return { ok: false, status, error: error === GENERAL ? FAILED[purpose] : error }
}
