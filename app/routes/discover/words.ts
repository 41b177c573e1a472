import type { LocationRefusal } from '../../../usecases/discover/set-location.ts'
import type { EditOutcome } from '../../../usecases/profile/edit-profile.ts'
import { PIPELINE_WORDS, type WordTable } from '../../words/words.ts'

/** For coordinates that are none. */
export const NOWHERE = 'That position does not look right. Type your town instead.'
export const TYPE_A_TOWN = 'Type a town.'
export const SEVERAL_TOWNS = 'There is more than one. Which one is yours?'
export const BAD_VIBE = 'That vibe cannot be chosen here.'

const atTown = (status: number, error: string) => ({ status, error, field: 'town' })

/** What the location form answers; `town` is what was typed. */
export const locationWords = (town: string): WordTable<LocationRefusal> => ({
  'slow-down': PIPELINE_WORDS['slow-down'],
  nowhere: atTown(400, NOWHERE),
  'unknown-town': atTown(400, `No town called ${town} is in the list. Try a larger one nearby.`),
  'too-fast': atTown(429, 'That is too far from where you just were. You can go there {wait}.'),
  'too-often': atTown(429, 'Your place changed a moment ago. You can change it again {wait}.'),
})

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
