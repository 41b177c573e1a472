import type { Gender } from '../../../../domain/profile/choices.ts'
import type { Chance } from '../../random.ts'
import { COLOURS } from '../svg.ts'
import { beardsOf } from './beards.ts'
import { CLOTHES } from './clothes.ts'
import { hairColoursOf, hairStylesOf } from './hair/choice.ts'
import { ROOTS } from './heritage.ts'
import type { FaceShape, Look, Outfit, Sitter, StyleName } from './look.ts'

const STUDIOUS = new Set<string>(['Books', 'Coding', 'Writing', 'Science', 'History', 'Technology', 'Design'])

/** The same sitter and chance give the same look. */
export function lookOf(chance: Chance, sitter: Sitter): Look {
  const { gender, age, heritage, interests } = sitter
  const roots = ROOTS[heritage]
  const manly = gender === 'Male' || (gender !== 'Female' && chance.chance(0.4))
  const made = gender === 'Female' || (gender !== 'Male' && chance.chance(0.35))
  const skin = chance.pick(roots.skins)
  const hair = chance.pick(hairStylesOf(sitter))
  return {
    skin,
    face: faceOf(chance, manly),
    eyes: chance.pick(['open', 'open', 'open', 'open', 'smiling', 'bright'] as const),
    iris: chance.pick(roots.irises),
    mouth: chance.pick(made ? MOUTHS.made : MOUTHS.plain),
    lips: made ? chance.pick([skin.lip, skin.lip, COLOURS.petal, COLOURS.berry, '#c8413f']) : skin.lip,
    hair,
    ...hairColoursOf(chance, sitter),
    beard: gender === 'Male' ? chance.pick(beardsOf(age, hair)) : 'none',
    build: { neck: manly ? 84 : 68, shoulders: manly ? chance.between(372, 398) : chance.between(318, 346) },
    outfit: outfitOf(chance, sitter, hair),
    glasses: chance.chance(interests.some((one) => STUDIOUS.has(one)) ? 0.4 : 0.14)
      ? chance.pick(['round', 'square'] as const)
      : null,
    earrings: hair === 'headscarf' ? null : earringsOf(chance, gender),
    freckles: skin.freckles && chance.chance(0.3),
    lashes: made,
    lines: linesOf(age),
  }
}

const MOUTHS = {
  made: ['lips', 'lips', 'laugh', 'laugh', 'smile'],
  plain: ['smile', 'smile', 'laugh', 'laugh', 'half'],
} as const

function faceOf(chance: Chance, manly: boolean): FaceShape {
  const half = chance.between(164, 176)
  const jaw = half * (manly ? 0.9 : 0.82) - chance.between(0, 8)
  return {
    half,
    jaw,
    chin: manly ? chance.between(66, 84) : chance.between(48, 62),
    nose: chance.between(22, manly ? 32 : 27),
  }
}

/** What they wear that day. */
export function outfitOf(chance: Chance, { gender, interests, age }: Sitter, hair: StyleName): Outfit {
  const sporty = interests.some((one) => ['Fitness', 'Running', 'Sports', 'Climbing', 'Gaming', 'Skiing'].includes(one))
  const cuts = [
    ...CLOTHES.all,
    ...(gender === 'Male' ? [] : CLOTHES.made),
    ...(sporty ? CLOTHES.sporty : []),
    ...(age > 35 ? CLOTHES.grown : []),
  ]
  const cut = chance.pick(hair === 'headscarf' ? cuts.filter((one) => one !== 'straps') : cuts)
  const [colour, second] = chance.some(CLOTHES.colours, 2)
  return { cut, colour: colour!, second: second! }
}

function earringsOf(chance: Chance, gender: Gender): Look['earrings'] {
  if (gender === 'Female') return chance.chance(0.55) ? chance.pick(['hoops', 'studs', 'drops'] as const) : null
  if (gender === 'Male') return chance.chance(0.08) ? 'studs' : null
  return chance.chance(0.4) ? chance.pick(['studs', 'hoops'] as const) : null
}

function linesOf(age: number): number {
  if (age >= 60) return 3
  if (age >= 50) return 2
  return age >= 41 ? 1 : 0
}
