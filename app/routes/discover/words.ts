import type { EditOutcome } from '../../../usecases/profile/edit-profile.ts'
import { PIPELINE_WORDS, type WordTable } from '../../words/words.ts'

export const BAD_VIBE = 'That vibe cannot be chosen here.'

type VibeRefusal = Extract<EditOutcome, { ok: false }>['reason']
const CANNOT = { status: 400, field: 'vibe', error: BAD_VIBE } as const
/** Choosing one's vibe above the deck. */
export const VIBE_WORDS: WordTable<VibeRefusal> = {
  ...PIPELINE_WORDS,
  invalid: CANNOT,
  restricted: CANNOT,
  underage: CANNOT,
  'already-started': CANNOT,
  'not-started': CANNOT,
  'name-too-soon': CANNOT,
  'gender-too-soon': CANNOT,
  'timezone-too-soon': CANNOT,
}
