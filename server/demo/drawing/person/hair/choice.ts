import type { Chance } from '../../../random.ts'
import { COLOURS, darker, mix } from '../../svg.ts'
import { ROOTS, type Texture } from '../heritage.ts'
import type { Sitter, StyleName } from '../look.ts'

const LONG: Record<Texture, readonly StyleName[]> = {
  straight: ['straight', 'fringe', 'bob', 'ponytail', 'bun', 'plaits', 'pixie'],
  wavy: ['wavy', 'wavy', 'bob', 'ponytail', 'bun', 'cloud', 'straight'],
  coily: ['afro', 'cloud', 'puff', 'boxBraids', 'boxBraids', 'bun'],
}
const SHORT: Record<Texture, readonly StyleName[]> = {
  straight: ['sidePart', 'sidePart', 'quiff', 'quiff', 'crop', 'topknot'],
  wavy: ['sidePart', 'quiff', 'curls', 'curls', 'crop'],
  coily: ['crop', 'crop', 'shortAfro', 'shortAfro', 'dreads', 'bald'],
}
const EITHER: Record<Texture, readonly StyleName[]> = {
  straight: ['pixie', 'bob', 'waves', 'sidePart', 'topknot', 'fringe'],
  wavy: ['pixie', 'curls', 'waves', 'cloud', 'quiff'],
  coily: ['shortAfro', 'afro', 'dreads', 'crop', 'puff'],
}
/** Names of families in which many women cover their hair. */
const COVERING = new Set(['Aisha', 'Fatima', 'Khadija', 'Noor', 'Zainab'])
const OLDER = 58

/** The styles that a sitter may wear, some of them more often. */
export function hairStylesOf({ firstName, gender, age, heritage }: Sitter): readonly StyleName[] {
  const { textures } = ROOTS[heritage]
  const of = (styles: typeof LONG) => textures.flatMap((texture) => styles[texture])
  if (gender === 'Male') {
    if (age >= OLDER) return ['receding', 'receding', 'bald', 'crop', 'sidePart']
    return age >= 40 ? [...of(SHORT), 'bald', 'receding'] : of(SHORT)
  }
  if (gender !== 'Female') return of(EITHER)
  if (COVERING.has(firstName)) return ['headscarf', 'headscarf', ...of(LONG).slice(0, 3)]
  return age >= OLDER ? ['perm', 'perm', 'bob', 'pixie', 'bun'] : of(LONG)
}

const GREYS = { first: '#8d8790', later: '#bdb8bf', last: '#e2dee0' } as const

type HairColours = { readonly hairColour: string; readonly browColour: string }

/** By nature, by age, now and then by choice; brows keep what nature gave. */
export function hairColoursOf(chance: Chance, { gender, age, heritage }: Sitter): HairColours {
  const natural = chance.pick(ROOTS[heritage].hairs)
  const greyed = chance.next() < (age - 41) / 17
  const grey = age >= 64 ? GREYS.last : age >= 55 ? GREYS.later : GREYS.first
  const dyed = age < 38 && chance.chance(gender === 'Female' || gender === 'Male' ? 0.03 : 0.3)
  const own = greyed ? grey : natural
  const hairColour = dyed ? chance.pick([COLOURS.petal, COLOURS.teal, COLOURS.lilac, '#d9547a']) : own
  return { hairColour, browColour: greyed ? mix(grey, natural, 0.35) : darker(own, 0.32) }
}
