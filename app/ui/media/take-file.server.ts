import type { MediaId } from '../../../domain/shared/ids.ts'
import type { ReceivedForm } from '../../../services/media/form.ts'
import type { ReceivedFile } from '../../../services/media/keep-file.ts'
import { uploadMedia } from '../../../usecases/media/upload-media.ts'
import { done } from '../../../usecases/outcome.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { AVATAR_WORDS, OWN_VOICE_WORDS, PHOTO_WORDS } from '../../words/upload-words.server.ts'
import { worded } from '../../words/words.ts'

const WORDS = { photo: PHOTO_WORDS, avatar: AVATAR_WORDS, voice: OWN_VOICE_WORDS } as const

/** What came of taking something, in words where it was refused. */
export type TakenFile<T> = { ok: true; value: T } | { ok: false; status: number; error: string }

/** The files of a plain form, kept or refused; a field that was left empty has none. */
export function filesOf({ files }: ReceivedForm, name: string): readonly ReceivedFile[] {
  return files.get(name) ?? []
}

/** Takes a file that a plain form brought along. */
export async function takeFile(
  acting: Acting,
  { file, purpose }: { file: ReceivedFile; purpose: keyof typeof WORDS },
): Promise<TakenFile<MediaId>> {
  const taken = await uploadMedia(acting, { member: acting.who.member }, { file, purpose })
  return taken.ok ? done(taken.value.id) : worded(WORDS[purpose], taken)
}
