import { circle, darker, lighter, shape, stroke } from '../../svg.ts'

/** Colours of hair: as it is, in its own shade, and where light falls on it. */
export type Tones = { readonly base: string; readonly dark: string; readonly light: string }
export const tonesOf = (base: string): Tones => ({ base, dark: darker(base, 0.28), light: lighter(base, 0.2) })

/** A way to wear hair. `top`: where it ends above, with the eyes at 0. */
export type Hair = {
  readonly top: number
  readonly back?: (tones: Tones) => string
  readonly front: (tones: Tones) => string
}

/** A strip of light across the top of a head. */
export const shine = ({ light }: Tones, d = 'M-116,-212 C-70,-252 10,-264 66,-246') =>
  stroke(d, light, 13, 'opacity=".55"')

/** Round locks on each point. */
export const locks = (points: readonly (readonly [number, number, number])[], colour: string) =>
  points.map(([x, y, r]) => circle(x, y, r, colour)).join('')

/** Hair close to the head, from one ear over the top to the other; `hairline`: where it begins at the forehead. */
export function cap({ base }: Tones, { out = 8, top = -262, hairline = -152, sideburn = 0 } = {}): string {
  const w = 170 + out
  const crown = (top + 0.25 * 20) / 0.94
  return shape(
    `M${-w},${sideburn} C${-w - 14},-150 ${-w * 0.74},${crown} 0,${crown * 0.985} C${w * 0.74},${crown} ${w + 14},-150 ${w},${sideburn}
    L${w - 26},-24 C${w - 20},-84 ${w - 44},-118 112,${hairline} C50,${hairline - 22} -50,${hairline - 22} -112,${hairline} C${-w + 44},-118 ${-w + 20},-84 ${-w + 26},-24 Z`,
    base,
  )
}

/** Points on an arc about the middle of a skull, in degrees from its right side over the top. */
export function around(
  radius: number,
  from: number,
  to: number,
  count: number,
  { y = -60, flat = 1 } = {},
): [number, number][] {
  return Array.from({ length: count }, (_, i) => {
    const angle = ((from + ((to - from) * i) / (count - 1)) * Math.PI) / 180
    return [radius * Math.cos(angle), y - radius * flat * Math.sin(angle)]
  })
}
