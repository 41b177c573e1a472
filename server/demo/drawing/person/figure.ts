import { at, PICTURE, round } from '../svg.ts'
import { beard, belowChin } from './beards.ts'
import { clothes, neck } from './clothes.ts'
import { CHIN, glasses, head, mouth } from './face.ts'
import { tonesOf } from './hair/strands.ts'
import { HAIR } from './hair/styles.ts'
import type { Look } from './look.ts'

/** Where a head is in a picture, hair and beard included, in shares of the height and the width. */
export type Frame = {
  readonly height: number
  /** Of its middle. */
  readonly x: number
  readonly y: number
  /** Of the head against the shoulders, in degrees. */
  readonly tilt: number
}

/** From the top of the hair to the chin or the end of the beard, in units of the figure, with the eyes at 0. */
export function headOf({ hair, beard }: Pick<Look, 'hair' | 'beard'>): { top: number; bottom: number } {
  return { top: HAIR[hair].top, bottom: CHIN + belowChin(beard) }
}

/** Somebody down to the chest, and on until any picture ends. */
export function figure(look: Look, { height, x, y, tilt }: Frame): string {
  const { top, bottom } = headOf(look)
  const scale = (height * PICTURE.height) / (bottom - top)
  const eyes = y * PICTURE.height - ((top + bottom) / 2) * scale
  return at(x * PICTURE.width, eyes, layers(look, tilt), scale)
}

function layers(look: Look, tilt: number): string {
  const hair = HAIR[look.hair]
  const tones = tonesOf(look.hair === 'headscarf' ? look.outfit.second : look.hairColour)
  const tilted = (drawn: string) => `<g transform="rotate(${round(tilt)} 0 170)">${drawn}</g>`
  const face =
    head(look) +
    beard(look.beard, look.face, look.browColour) +
    mouth(look) +
    (look.glasses ? glasses(look.glasses, look.face) : '')
  return tilted(hair.back?.(tones) ?? '') + neck(look) + clothes(look) + tilted(face + hair.front(tones))
}
