import type { Town } from '../../services/nearby/towns.ts'
import type { TownsAt } from '../../usecases/discover/find-location.ts'
import type { ForgetRefusal } from '../../usecases/discover/forget-location.ts'
import type { LocationRefusal } from '../../usecases/discover/set-location.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

/** For coordinates that are none. */
export const NOWHERE = 'That position does not look right. Type your town instead.'
export const TYPE_A_TOWN = 'Type a town.'
export const SEVERAL_TOWNS = 'There is more than one. Which one is yours?'

const atTown = (status: number, error: string) => ({ status, error, field: 'town' })

/** What the question for the place answers; `town` is what was typed. */
export const locationWords = (town: string): WordTable<LocationRefusal> => ({
  'slow-down': PIPELINE_WORDS['slow-down'],
  nowhere: atTown(400, NOWHERE),
  'unknown-town': atTown(400, `No town called ${town} is in the list. Try a larger one nearby.`),
  'too-fast': atTown(
    429,
    'That is too far from where you just were. You can go there {wait}, or at once after you forget your location.',
  ),
  'too-often': atTown(429, 'Your location changed a moment ago. You can change it again {wait}.'),
  'forgot-lately': atTown(429, 'You set and forgot your location several times today. You can set it again {wait}.'),
})

export const FORGET_WORDS: WordTable<ForgetRefusal> = {
  'slow-down': PIPELINE_WORDS['slow-down'],
}

/** 'Springfield, Missouri, United States': which one it is of towns that share their name. */
export const townLabel = ({ name, region, countryName }: Town): string =>
  [name, region, countryName].filter(Boolean).join(', ')

/** 'Oslo, Norway' of what was named, 'near Oslo, Norway' of what was measured; empty far from all towns. */
export const placeLabel = ({ named, near }: TownsAt): string =>
  named.map(townLabel).join(' or ') || (near ? `near ${townLabel(near)}` : '')
