import { both, COLOURS, circle, darker, ellipse, lighter, shape, stroke, within } from '../svg.ts'
import type { FaceShape, Look } from './look.ts'

/** Where a bare head ends, with the eyes at 0. */
export const SKULL_TOP = -235
export const CHIN = 225

const EYE = 'M-33,5 C-20,-20 16,-24 34,-3 C20,17 -14,19 -33,5 Z'
const DARK_LINE = '#2b1a1e'

export function facePath({ half: w, jaw: j, chin: k }: FaceShape): string {
  return `M${-w},-20 C${-w},-150 ${-w * 0.72},${SKULL_TOP} 0,${SKULL_TOP} C${w * 0.72},${SKULL_TOP} ${w},-150 ${w},-20
    C${w},88 ${j},150 ${k},195 C${k * 0.55},235 ${-k * 0.55},235 ${-k},195 C${-j},150 ${-w},88 ${-w},-20 Z`
}

/** The head without hair: ears, face, and what is in it. */
export function head(look: Look): string {
  const { skin, face } = look
  const outline = facePath(face)
  const side = shape(
    `M${face.half},-240 L${face.half},250 L40,250 C120,160 ${face.half - 26},80 ${face.half - 26},-60 Z`,
    skin.shade,
    'opacity=".3"',
  )
  const blush = both(ellipse(108, 70, 42, 30, skin.blush, `opacity="${look.lashes ? 0.3 : 0.18}"`))
  return (
    ears(look) +
    shape(outline, skin.base) +
    within('face', outline, side + blush + (look.freckles ? freckles(skin.shade) : '')) +
    lines(look) +
    eyes(look) +
    brows(look) +
    nose(look)
  )
}

function ears({ skin, face, earrings, hair }: Look): string {
  if (hair === 'headscarf') return ''
  const x = face.half - 2
  const ear =
    ellipse(x, 18, 27, 45, skin.base) + stroke(`M${x + 6},-8 C${x + 22},-4 ${x + 16},30 ${x + 4},40`, skin.shade, 6)
  if (!earrings) return both(ear)
  const gold = '#e9b949'
  const rings = {
    hoops: `<circle cx="${x + 4}" cy="88" r="25" fill="none" stroke="${gold}" stroke-width="7"/>`,
    studs: circle(x + 4, 60, 8, lighter(gold, 0.5)),
    drops: stroke(`M${x + 4},62 L${x + 4},84`, gold, 4) + ellipse(x + 4, 100, 11, 17, COLOURS.petal),
  }
  return both(ear + rings[earrings])
}

function eyes({ eyes: kind, iris, lashes, skin }: Look): string {
  if (kind === 'smiling') {
    const lash = lashes ? stroke('M32,6 L43,-2', DARK_LINE, 6) : ''
    return both(`<g transform="translate(72 2)">${stroke('M-31,10 C-18,-16 18,-16 31,8', DARK_LINE, 9)}${lash}</g>`)
  }
  const r = kind === 'bright' ? 18 : 16.5
  const ball =
    shape(EYE, '#fffaf2') +
    within(
      'eye',
      EYE,
      circle(0, -2, r, iris) +
        circle(0, -2, 8.5, '#1d1216') +
        shape('M-40,-30 H40 V-10 C16,-22 -20,-18 -40,6 Z', '#2b1a1e', 'opacity=".14"'),
    )
  const lid = stroke('M-35,6 C-20,-22 17,-27 36,-4', DARK_LINE, lashes ? 8 : 6)
  const lash = lashes ? stroke('M34,-5 L46,-15 M28,-13 L37,-25', DARK_LINE, 5.5) : ''
  const crease = stroke('M-24,-20 C-8,-33 14,-34 32,-20', skin.shade, 4, 'opacity=".7"')
  const pair = `<g transform="translate(72 0)">${ball}${lid}${lash}${crease}</g>`
  return both(pair) + circle(78, -8, 5, '#fff') + circle(-66, -8, 5, '#fff')
}

function brows({ browColour: tone, lashes }: Look): string {
  return both(
    lashes
      ? shape('M34,-48 C54,-66 92,-70 118,-50 C92,-58 58,-54 38,-40 Z', tone)
      : shape('M32,-51 C54,-68 94,-71 120,-52 C94,-58 58,-54 38,-39 C30,-40 28,-48 32,-51 Z', tone),
  )
}

function nose({ skin, face: { nose: n } }: Look): string {
  return (
    shape(`M4,-14 C10,30 ${n - 4},56 ${n},82 C${n - 8},97 8,99 0,98 Z`, skin.shade, 'opacity=".42"') +
    stroke(`M${-n},82 C${-n + 2},102 -8,94 0,101 C8,94 ${n - 2},102 ${n},82`, skin.shade, 6.5)
  )
}

/** Drawn over a beard. */
export function mouth({ mouth: kind, skin, lips }: Look): string {
  const deep = darker(lips, 0.35)
  if (kind === 'laugh') {
    const open = 'M-60,128 C-30,137 30,137 60,128 C54,186 -54,186 -60,128 Z'
    const inside = shape('M-62,124 H62 V148 C30,157 -30,157 -62,148 Z', '#fffaf2') + ellipse(0, 182, 32, 16, '#e0717b')
    return shape(open, '#6f1f2c') + within('mouth', open, inside) + stroke(open, lips, 7)
  }
  if (kind === 'lips')
    return (
      shape(
        'M-52,134 C-34,129 -16,120 -8,122 C-3,124 3,124 8,122 C16,120 34,129 52,134 C40,162 20,169 0,169 C-20,169 -40,162 -52,134 Z',
        lips,
      ) +
      stroke('M-54,132 C-28,148 28,148 54,132', deep, 5) +
      stroke('M-14,159 C-6,162 6,162 14,159', lighter(lips, 0.4), 5, 'opacity=".6"')
    )
  const curve = kind === 'smile' ? 'M-56,128 C-30,160 30,160 56,128' : 'M-44,140 C-20,152 24,152 54,128'
  return stroke(curve, deep, 8) + stroke('M-20,168 C-8,174 8,174 20,168', skin.shade, 6, 'opacity=".7"')
}

function lines({ lines: count, skin }: Look): string {
  const half =
    (count > 0 ? stroke('M54,98 C70,112 78,128 76,142', skin.shade, 5, 'opacity=".75"') : '') +
    (count > 1 ? stroke('M116,2 L132,-6 M118,12 L134,14', skin.shade, 4.5, 'opacity=".8"') : '') +
    (count > 2 ? stroke('M48,34 C60,42 80,42 94,34', skin.shade, 4.5, 'opacity=".7"') : '')
  const brow =
    count > 2
      ? stroke(
          'M-60,-104 C-20,-112 20,-112 60,-104 M-44,-128 C-16,-134 16,-134 44,-128',
          skin.shade,
          4.5,
          'opacity=".6"',
        )
      : ''
  return both(half) + brow
}

const SPOTS = [
  [78, 58],
  [98, 52],
  [118, 60],
  [88, 74],
  [108, 78],
  [66, 72],
  [128, 72],
] as const

function freckles(colour: string): string {
  const spots = SPOTS.map(([x, y]) => circle(x, y, 4, colour)).join('')
  return (
    both(`<g opacity=".75">${spots}</g>`) +
    circle(-8, 62, 3.5, colour, 'opacity=".7"') +
    circle(10, 70, 3.5, colour, 'opacity=".7"')
  )
}

export function glasses(kind: 'round' | 'square', { half }: FaceShape): string {
  const frame = '#2f2433'
  const lens =
    kind === 'round'
      ? `<circle cx="76" cy="4" r="54" fill="#fff" fill-opacity=".14" stroke="${frame}" stroke-width="8"/>`
      : `<rect x="22" y="-38" width="108" height="82" rx="22" fill="#fff" fill-opacity=".14" stroke="${frame}" stroke-width="9"/>`
  return both(lens + stroke(`M130,-4 L${half + 4},-10`, frame, 8)) + stroke('M-22,-2 C-10,-12 10,-12 22,-2', frame, 8)
}
