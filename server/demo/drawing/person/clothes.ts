import { both, COLOURS, circle, darker, lighter, rect, shape, stroke, times, within } from '../svg.ts'
import type { Cut, Look, Outfit } from './look.ts'

/** What anybody wears, and what some wear more often. */
export const CLOTHES = {
  all: ['tee', 'striped', 'shirt', 'turtleneck', 'knit', 'denim', 'jacket'],
  made: ['straps', 'vneck', 'vneck', 'dungarees'],
  sporty: ['hoodie', 'hoodie', 'tee'],
  grown: ['blazer', 'blazer', 'shirt', 'turtleneck'],
  colours: [
    COLOURS.honey,
    COLOURS.petal,
    COLOURS.leaf,
    COLOURS.violet,
    COLOURS.clay,
    COLOURS.teal,
    COLOURS.sage,
    COLOURS.navy,
    COLOURS.cream,
    COLOURS.berry,
    COLOURS.rust,
    COLOURS.lilac,
    COLOURS.night,
  ],
} as const satisfies Record<string, readonly string[]>

type Build = Look['build']

/** Shoulders, arms and chest down to where a picture ends; `neckline`: from shoulder to shoulder along the neck. */
function torso({ shoulders: s }: Build, neckline: string, from: number): string {
  return `M${-from},292 ${neckline} C${from + 52},336 ${s * 0.82},338 ${s},440 C${s + 36},540 ${s + 48},760 ${s + 56},1500
    L${-s - 56},1500 C${-s - 48},760 ${-s - 36},540 ${-s},440 C${-s * 0.82},338 ${-from - 52},336 ${-from},292 Z`
}

const round = (from: number, depth: number) =>
  `C${-from + 14},${292 + depth * 1.33} ${from - 14},${292 + depth * 1.33} ${from},292`
const pointed = (from: number, depth: number) => `L0,${292 + depth} L${from},292`

/** Neck and chest, under what is worn. */
export function neck({ skin, build }: Look): string {
  const { neck: n } = build
  const column = `M${-n},100 L${-n},250 C${-n - 2},276 ${-n - 8},290 ${-n - 20},302 L${-n},700 L${n},700 L${n + 20},302 C${n + 8},290 ${n + 2},276 ${n},250 L${n},100 Z`
  const shadow = shape(
    'M-220,60 L220,60 C200,200 120,262 70,268 C40,284 -20,284 -50,268 C-140,250 -200,190 -220,60 Z',
    skin.shade,
  )
  const bones = both(stroke('M24,352 C70,338 120,340 160,352', skin.shade, 7, 'opacity=".6"'))
  return (
    shape(torso(build, round(n + 20, 0), n + 20), skin.base) +
    shape(column, skin.base) +
    within('neck', column, shadow) +
    bones
  )
}

export function clothes({ outfit, build }: Look): string {
  const from = build.neck + 22
  return DRAWN[outfit.cut](outfit, build, from) + arms(outfit, build)
}

/** Folds between the arms and the chest. */
function arms({ cut, colour }: Outfit, { shoulders: s }: Build): string {
  if (cut === 'straps') return ''
  return both(
    stroke(`M${s - 66},1500 C${s - 62},900 ${s - 66},700 ${s - 84},600`, darker(colour, 0.3), 8, 'opacity=".55"'),
  )
}

type Draw = (outfit: Outfit, build: Build, from: number) => string
const band = (from: number, depth: number, colour: string, width = 20) =>
  stroke(`M${-from + 4},296 ${round(from - 4, depth)}`, colour, width)

const plain: Draw = ({ colour }, build, from) =>
  shape(torso(build, round(from, 78), from), colour) + band(from, 84, darker(colour, 0.14))

const collar = (from: number, colour: string) =>
  both(
    shape(
      `M${from - 26},276 C${from + 4},282 ${from + 26},300 ${from + 30},322 L86,408 L2,350 Z`,
      lighter(colour, 0.16),
    ),
  ) + both(stroke(`M${from + 28},324 L86,408 L4,352`, darker(colour, 0.22), 5))

const DRAWN: Record<Cut, Draw> = {
  tee: plain,
  striped(outfit, build, from) {
    const d = torso(build, round(from, 62), from)
    const stripes = times(12, (i) =>
      stroke(`M-500,${400 + i * 74} C-200,${430 + i * 74} 200,${430 + i * 74} 500,${400 + i * 74}`, outfit.second, 30),
    )
    return shape(d, COLOURS.cream) + within('cloth', d, stripes) + band(from, 68, outfit.second, 18)
  },
  shirt({ colour }, build, from) {
    const d = torso(build, pointed(from, 96), from)
    const buttons = times(8, (i) => circle(0, 450 + i * 92, 8, lighter(colour, 0.6)))
    return shape(d, colour) + stroke('M0,388 L0,1500', darker(colour, 0.2), 5) + collar(from, colour) + buttons
  },
  turtleneck({ colour }, build, from) {
    const n = from - 12
    const d = `M${-n},214 C${-n * 0.5},246 ${n * 0.5},246 ${n},214 L${n + 16},320 C${n},372 ${-n},372 ${-n - 16},320 Z`
    const folds = stroke(
      `M${-n + 6},262 C${-n * 0.5},292 ${n * 0.5},292 ${n - 6},262`,
      darker(colour, 0.2),
      6,
      'opacity=".7"',
    )
    return (
      shape(torso(build, round(from, 20), from), colour) +
      shape(d, lighter(colour, 0.1)) +
      folds +
      stroke(`M${-n - 14},324 C${-n},372 ${n},372 ${n + 14},324`, darker(colour, 0.25), 6)
    )
  },
  hoodie(outfit, build, from) {
    const hood = shape(
      `M${-from - 4},290 C${-from - 62},344 -124,424 0,442 C124,424 ${from + 62},344 ${from + 4},290 C${from},334 60,380 0,386 C-60,380 ${-from},334 ${-from - 4},290 Z`,
      lighter(outfit.colour, 0.14),
    )
    const strings = both(stroke('M44,424 C48,480 46,520 50,566', COLOURS.cream, 9))
    return shape(torso(build, round(from, 70), from), outfit.colour) + hood + strings
  },
  knit(outfit, build, from) {
    const d = torso(build, round(from, 62), from)
    const zigzag = (y: number, colour: string) =>
      stroke(
        `M-520,${y} ${Array.from({ length: 27 }, (_, i) => `L${-480 + i * 40},${y + (i % 2 ? 0 : 34)}`).join(' ')}`,
        colour,
        11,
      )
    const dots = (y: number) => times(26, (i) => circle(-500 + i * 40, y, 8, COLOURS.cream))
    return (
      shape(d, outfit.colour) +
      within('cloth', d, zigzag(420, COLOURS.cream) + dots(492) + zigzag(522, outfit.second) + dots(596)) +
      band(from, 68, lighter(outfit.colour, 0.2), 30)
    )
  },
  jacket(outfit, build, from) {
    const inner =
      shape(torso(build, round(from, 70), from), COLOURS.cream) + band(from, 76, darker(COLOURS.cream, 0.12), 16)
    const side =
      shape(jacketSide(build, from), outfit.colour) +
      stroke(`M${from + 14},300 C90,460 74,800 74,1500`, darker(outfit.colour, 0.3), 6)
    return inner + both(side)
  },
  blazer(outfit, build, from) {
    const inner = shape(torso(build, pointed(from, 130), from), lighter(outfit.second, 0.5))
    const lapel = shape(
      `M${from - 6},288 L${from + 44},322 L${from + 66},430 L112,470 L128,500 L34,780 L20,640 Z`,
      lighter(outfit.colour, 0.1),
    )
    const edge = stroke(`M${from + 66},430 L112,470 L128,500 L36,776`, darker(outfit.colour, 0.3), 5)
    return inner + both(shape(jacketSide(build, from, 30), outfit.colour) + lapel + edge)
  },
  vneck: ({ colour }, build, from) =>
    shape(torso(build, pointed(from, 170), from), colour) +
    stroke(`M${-from + 4},298 L0,460 L${from - 4},298`, darker(colour, 0.18), 14),
  straps({ colour }, { shoulders: s }) {
    const top = `M-150,330 C-150,450 -120,500 0,508 C120,500 150,450 150,330 L178,336 C186,440 210,520 ${s - 88},590 L${s - 92},1500 L${-s + 92},1500 L${-s + 88},590 C-210,520 -186,440 -178,336 Z`
    return (
      shape(top, colour) +
      stroke('M-148,336 C-148,450 -116,504 0,512 C116,504 148,450 148,336', darker(colour, 0.16), 9)
    )
  },
  dungarees(outfit, build, from) {
    const shirt = DRAWN.striped({ ...outfit, second: outfit.colour }, build, from)
    const bib =
      rect(-168, 560, 336, 900, '#4f6e9c', 'rx="26"') +
      stroke('M-150,584 H150', lighter('#4f6e9c', 0.4), 5, 'stroke-dasharray="14 12"')
    const strap = shape('M118,590 L164,590 L236,350 L196,342 Z', '#4f6e9c') + circle(141, 604, 15, COLOURS.honey)
    return shirt + bib + both(strap)
  },
  denim(outfit, build, from) {
    const blue = '#58799f'
    const inner =
      shape(torso(build, round(from, 60), from), outfit.colour) + band(from, 66, darker(outfit.colour, 0.16), 16)
    const seam = stroke(`M210,470 L190,640 L120,640`, lighter(blue, 0.45), 5, 'stroke-dasharray="13 11"')
    const side =
      shape(jacketSide(build, from), blue) +
      shape(`M${from - 12},280 L${from + 46},316 L132,446 L66,396 Z`, lighter(blue, 0.14)) +
      seam
    return inner + both(side)
  },
}

/** The right side of an open jacket; `gap`: half of what it leaves open below. */
function jacketSide({ shoulders: s }: Build, from: number, gap = 74): string {
  return `M${from - 8},286 C${from + 52},332 ${s * 0.82},336 ${s + 4},440 C${s + 40},540 ${s + 52},760 ${s + 60},1500 L${gap},1500 C${gap},800 ${gap + 16},460 ${from - 8},286 Z`
}
