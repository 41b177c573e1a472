import type { EditOutcome } from '../../../usecases/profile/edit-profile.ts'
import { BUZZ_WORDS, PAIR_WORDS } from '../../words/pair-words.ts'
import { PIPELINE_WORDS, type Words, type WordTable } from '../../words/words.ts'
import { GONE, goneWords } from './gone.ts'

export const BAD_VIBE = 'That vibe cannot be chosen here.'

/** They left or hid, or one blocked the other (ruling R5). */
const REASONS = ['closed', 'blocked', 'unknown'] as const
type Reason = (typeof REASONS)[number]

/** A table in which whoever is gone is worded alike, without a name, and keeps the status of each reason. */
function withGone<T extends Record<Reason, Words>>(table: T) {
  const rows = REASONS.map((reason) => [reason, { ...table[reason], code: GONE, error: goneWords('This person') }])
  return { ...table, ...(Object.fromEntries(rows) as Pick<T, Reason>) }
}
/** A buzz from a card of the deck. */
export const CARD_BUZZ_WORDS = withGone(BUZZ_WORDS)
/** A skip of one. */
export const CARD_SKIP_WORDS = withGone(PAIR_WORDS)

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
