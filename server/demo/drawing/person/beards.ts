import { darker, ellipse, shape } from '../svg.ts'
import type { BeardName, FaceShape, StyleName } from './look.ts'

/** How far below the chin each reaches. */
const BELOW: Record<BeardName, number> = { none: 0, stubble: 0, short: 5, full: 26, moustache: 0, goatee: 10 }
export const belowChin = (beard: BeardName): number => BELOW[beard]

/** Those that a man of that age may have. */
export function beardsOf(age: number, hair: StyleName): readonly BeardName[] {
  if (age < 23) return ['none', 'none', 'none', 'stubble']
  const often: BeardName[] =
    hair === 'bald' || hair === 'topknot' ? ['short', 'full', 'full', 'stubble'] : ['none', 'none']
  return [...often, 'none', 'none', 'stubble', 'stubble', 'short', 'short', 'full', 'moustache', 'goatee']
}

const MOUSTACHE =
  'M-60,126 C-44,100 -14,100 0,110 C14,100 44,100 60,126 C38,120 14,118 0,121 C-14,118 -38,120 -60,126 Z'

export function beard(name: BeardName, face: FaceShape, colour: string): string {
  if (name === 'none') return ''
  const tone = darker(colour, 0.08)
  if (name === 'moustache') return shape(MOUSTACHE, tone)
  if (name === 'goatee') return shape(MOUSTACHE, tone) + ellipse(0, 206, 46, 28, tone)
  if (name === 'stubble') return shape(jaw(face, 0, 225), tone, 'opacity=".2"')
  const below = BELOW[name]
  return (
    shape(jaw(face, name === 'full' ? 7 : 2, 225 + below), tone) +
    ellipse(0, 182, 30, 10, darker(tone, 0.25), 'opacity=".5"')
  )
}

/** From ear to ear around the jaw and up to the nose; `out`: how thick it is at the sides. */
function jaw({ half: w, jaw: j, chin: k }: FaceShape, out: number, bottom: number): string {
  const low = (bottom - 0.25 * 195) / 0.75
  return `M${-w - out},-8 C${-w - out},95 ${-j - out},158 ${-k - out * 2},198 C${-k * 0.6 - out},${low} ${k * 0.6 + out},${low} ${k + out * 2},198
    C${j + out},158 ${w + out},95 ${w + out},-8 L${w - 18},26 C${w - 30},84 106,96 74,106 C44,96 14,100 0,110 C-14,100 -44,96 -74,106 C-106,96 ${-w + 30},84 ${-w + 18},26 Z`
}
