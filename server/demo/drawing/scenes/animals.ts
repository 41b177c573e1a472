import type { Chance } from '../../random.ts'
import { at, both, COLOURS, circle, darker, ellipse, lighter, shape, stroke } from '../svg.ts'
import { room } from './indoors.ts'
import { park } from './nature.ts'

/** A dog that looks at who takes the picture. */
export const dog = (chance: Chance): string => park(chance) + at(chance.between(480, 600), 690, anyDog(chance), 1.3)

/** A dog beside somebody. */
export const besides = (chance: Chance): string => at(chance.between(830, 880), 1010, anyDog(chance), 0.72)

function anyDog(chance: Chance): string {
  const [coat, patch] = chance.pick([
    ['#c98a52', '#f6e4c9'],
    ['#3d3540', '#f3ece2'],
    ['#e6c591', '#fbf1de'],
    ['#8d5a3b', '#c99468'],
    ['#f1e8da', '#b98459'],
  ] as const)
  return dogOf(coat, patch, chance.pick([COLOURS.petal, COLOURS.teal, COLOURS.honey]))
}

function dogOf(coat: string, patch: string, collar: string): string {
  const deep = darker(coat, 0.25)
  const body =
    shape('M-150,150 C-230,300 -250,480 -250,700 L250,700 C250,480 230,300 150,150 Z', coat) +
    shape('M-90,190 C-120,330 -90,520 0,560 C90,520 120,330 90,190 Z', patch)
  const ears = both(shape('M92,-176 C190,-220 262,-110 246,60 C236,130 176,130 158,60 C150,0 146,-90 92,-176 Z', deep))
  const skull = shape(
    'M-170,-60 C-170,-190 -90,-230 0,-230 C90,-230 170,-190 170,-60 C170,30 140,70 118,120 C96,190 50,214 0,214 C-50,214 -96,190 -118,120 C-140,70 -170,30 -170,-60 Z',
    coat,
  )
  const blaze = shape(
    'M0,-228 C34,-150 26,-80 66,-20 C120,60 112,206 0,210 C-112,206 -120,60 -66,-20 C-26,-80 -34,-150 0,-228 Z',
    patch,
  )
  const eyes =
    both(ellipse(84, -34, 23, 27, '#2b1a1e') + stroke('M58,-78 C74,-92 98,-90 112,-76', deep, 10)) +
    circle(92, -44, 8, '#fff') +
    circle(-76, -44, 8, '#fff')
  const muzzle =
    shape('M-48,40 C-48,14 48,14 48,40 C48,72 20,86 0,88 C-20,86 -48,72 -48,40 Z', '#2b1f26') +
    ellipse(-14, 38, 15, 8, '#6b5a66') +
    stroke('M0,88 L0,116 M-62,112 C-40,140 -12,138 0,116 C12,138 40,140 62,112', '#2b1f26', 8)
  const tongue =
    shape('M-28,132 C-12,138 12,138 28,132 C34,196 18,214 0,214 C-18,214 -34,196 -28,132 Z', '#ef8390') +
    stroke('M0,140 L0,186', '#c95f70', 5)
  const band =
    shape('M-146,176 C-80,236 80,236 146,176 L154,214 C84,278 -84,278 -154,214 Z', collar) +
    circle(0, 268, 24, lighter(COLOURS.honey, 0.2))
  return body + band + ears + skull + blaze + tongue + muzzle + eyes
}

/** A cat on a sofa by the window. */
export function cat(chance: Chance): string {
  const [coat, mark] = chance.pick([
    ['#e39a55', '#c97a38'],
    ['#4a4450', '#37323d'],
    ['#b9b2ad', '#8f8783'],
    ['#f4ead9', '#e0b98a'],
  ] as const)
  const sofa = chance.pick([COLOURS.teal, COLOURS.petal, COLOURS.violet, COLOURS.sage])
  const cushions =
    shape(
      'M-40,900 C-40,840 60,820 120,830 C400,800 700,800 960,830 C1040,820 1120,850 1120,900 L1120,1350 L-40,1350 Z',
      sofa,
    ) +
    stroke('M540,824 L540,1120', darker(sofa, 0.2), 7) +
    shape('M-40,1130 C300,1090 780,1090 1120,1130 L1120,1350 L-40,1350 Z', lighter(sofa, 0.14))
  return room(chance) + cushions + at(540, 760, catOf(coat, mark, chance.pick(['#8fb95a', '#e9b949', '#74b3c9'])), 1.25)
}

function catOf(coat: string, mark: string, iris: string): string {
  const tail = stroke('M150,330 C290,330 320,220 270,150 C250,120 220,140 236,170', coat, 52)
  const body =
    shape('M-120,90 C-190,180 -190,330 -150,370 L150,370 C190,330 190,180 120,90 Z', coat) +
    both(ellipse(62, 366, 46, 28, lighter(coat, 0.3)))
  const ears = both(shape('M44,-118 L132,-196 L150,-50 Z', coat) + shape('M78,-122 L122,-160 L132,-84 Z', '#eea19a'))
  const skull = shape(
    'M-160,0 C-160,-90 -90,-134 0,-134 C90,-134 160,-90 160,0 C160,84 84,116 0,116 C-84,116 -160,84 -160,0 Z',
    coat,
  )
  const stripes =
    stroke('M0,-126 L0,-82 M-34,-122 L-28,-86 M34,-122 L28,-86', mark, 13) +
    both(stroke('M152,-4 L112,2 M148,30 L112,28', mark, 11) + stroke('M156,200 L100,214 M164,260 L110,268', mark, 13))
  const eyes =
    both(ellipse(66, -10, 31, 28, iris) + ellipse(66, -10, 10, 25, '#1d1216')) +
    circle(74, -20, 7, '#fff') +
    circle(-58, -20, 7, '#fff')
  const nose =
    ellipse(0, 52, 62, 40, lighter(coat, 0.45)) +
    shape('M-15,28 H15 L0,46 Z', '#d9727c') +
    stroke('M0,46 C0,62 -26,66 -32,54 M0,46 C0,62 26,66 32,54', '#4a2f35', 5.5)
  const whiskers = both(stroke('M58,50 L176,34 M58,60 L176,74', '#fff', 3.5, 'opacity=".8"'))
  return tail + body + ears + skull + stripes + nose + eyes + whiskers
}
