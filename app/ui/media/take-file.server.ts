import type { MediaId } from '../../../domain/shared/ids.ts'
import { receiveMedia } from '../../../usecases/media/receive-media.ts'
import { done } from '../../../usecases/outcome.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { AVATAR_WORDS, OWN_VOICE_WORDS, PHOTO_WORDS } from '../../words/upload-words.server.ts'
import { worded } from '../../words/words.ts'

const WORDS = { photo: PHOTO_WORDS, avatar: AVATAR_WORDS, voice: OWN_VOICE_WORDS } as const

/** What came of taking something, in words where it was refused. */
export type Taken<T> = { ok: true; value: T } | { ok: false; status: number; error: string }

/** The files of a plain form; a field that was left empty sends an empty one. */
export function filesOf(form: FormData, name: string): File[] {
  return form.getAll(name).filter((value): value is File => value instanceof File && value.size > 0)
}

/** Takes a file that a plain form brought along. */
export async function takeFile(
  acting: Acting,
  { file, purpose }: { file: File; purpose: keyof typeof WORDS },
): Promise<Taken<MediaId>> {
  const owner = { member: acting.who.member }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const taken = await receiveMedia(acting, owner, () => acting.media.upload({ owner, purpose, file: bytes }))
  return taken.ok ? done(taken.value.id) : worded(WORDS[purpose], taken)
}
