import type { Chance } from '../../random.ts'
import { at, both, COLOURS, circle, darker, ellipse, lighter, PICTURE, rect, shape, stroke, times } from '../svg.ts'
import { room } from './indoors.ts'

const { width: W, height: H } = PICTURE

/** A table seen from the side. */
function tableTop(y: number, colour = '#b98459'): string {
  return (
    rect(0, y, W, H - y, colour) +
    rect(0, y, W, 18, lighter(colour, 0.22)) +
    times(4, (i) =>
      stroke(
        `M0,${y + 90 + i * 76} C300,${y + 76 + i * 76} 700,${y + 106 + i * 76} ${W},${y + 84 + i * 76}`,
        darker(colour, 0.12),
        5,
      ),
    )
  )
}

/** Coffee, a book and flowers by the window. */
export function coffee(chance: Chance): string {
  const [cup, book] = chance.some(CLOTHS, 2) as [string, string]
  return (
    room(chance) +
    tableTop(930, chance.pick(['#b98459', '#8f6248', '#d3a877'])) +
    at(860, 930, vase, 1.05) +
    at(370, 1060, mug(cup), 1.1) +
    at(760, 1130, openBook(book), 1.05)
  )
}

/** A table with a mug, in front of somebody. */
export const mugInFront = (chance: Chance): string =>
  tableTop(1210, '#8f6248') + at(chance.between(820, 880), 1220, mug(chance.pick(CLOTHS)), 0.72)

const CLOTHS = [COLOURS.petal, COLOURS.teal, COLOURS.honey, COLOURS.navy, COLOURS.cream]

function mug(cup: string): string {
  const steam = (x: number) => stroke(`M${x},-170 C${x - 40},-230 ${x + 40},-270 ${x},-340`, '#fff', 13, 'opacity=".6"')
  return (
    steam(-30) +
    steam(30) +
    shape('M-150,-130 H150 C150,40 110,90 60,100 H-60 C-110,90 -150,40 -150,-130 Z', cup) +
    stroke('M146,-86 C246,-100 240,40 118,36', cup, 32) +
    ellipse(0, -130, 150, 38, lighter(cup, 0.35)) +
    ellipse(0, -126, 128, 28, '#7a4a2f') +
    shape('M0,-114 C-40,-128 -30,-146 0,-134 C30,-146 40,-128 0,-114 Z', '#e9cda4') +
    ellipse(0, 112, 220, 32, lighter(cup, 0.5))
  )
}

function openBook(cover: string): string {
  return (
    shape(
      'M-250,60 C-170,16 -60,20 0,60 C60,20 170,16 250,60 L250,110 C170,70 60,74 0,110 C-60,74 -170,70 -250,110 Z',
      '#fffaf0',
    ) +
    shape(
      'M-262,70 V126 C-170,88 -60,92 0,126 C60,92 170,88 262,126 V70 H250 V110 C170,70 60,74 0,110 C-60,74 -170,70 -250,110 V70 Z',
      cover,
    ) +
    both(stroke('M30,66 C80,42 150,38 210,62 M30,86 C80,62 150,58 210,82', '#c9bda8', 5))
  )
}

const BLOOMS = [COLOURS.petal, COLOURS.honey, COLOURS.cream]

const flower = (i: number) => {
  const [x, y] = [-110 + i * 55, -320 - (i % 2) * 60]
  const stem = stroke(`M0,-90 C${-30 + i * 15},-200 ${x + 30},-260 ${x},${y + 10}`, '#5c9271', 8)
  return stem + circle(x, y, 40, BLOOMS[i % 3]!) + circle(x, y, 14, '#c97a38')
}

const vase =
  times(5, flower) +
  shape('M-50,-110 H50 C40,-60 84,-20 70,60 C60,100 -60,100 -70,60 C-84,-20 -40,-60 -50,-110 Z', COLOURS.sky)

/** A table laid for friends, seen from above. */
export function supper(chance: Chance): string {
  const cloth = chance.pick(['#f3e6d2', '#dfe9e2', '#f6d9cf', '#d9e3ea'])
  const line = darker(cloth, 0.08)
  const weave = times(
    14,
    (i) => rect(i * 80, 0, 26, H, line, 'opacity=".5"') + rect(0, i * 100, W, 30, line, 'opacity=".5"'),
  )
  const [first, second, third] = chance.some([pasta, salad, pizza], 3)
  return (
    rect(0, 0, W, H, cloth) +
    weave +
    plate(330, 330, 240, first!) +
    plate(780, 700, 230, second!) +
    plate(290, 1020, 230, third!) +
    glass(680, 260, COLOURS.berry) +
    glass(110, 650, '#f3c25e') +
    glass(700, 1110, COLOURS.berry) +
    fork(640, 470, 20) +
    fork(560, 1060, -16) +
    circle(930, 330, 70, '#e9d2a6') +
    circle(930, 330, 52, '#f7e7c4') +
    circle(930, 1080, 54, '#ffe6a8', 'opacity=".6"') +
    circle(930, 1080, 30, COLOURS.honey)
  )
}

const plate = (x: number, y: number, r: number, food: string) =>
  circle(x + 8, y + 14, r, '#6b5a4a', 'opacity=".22"') +
  circle(x, y, r, '#fffaf2') +
  circle(x, y, r * 0.74, '#e4dace') +
  circle(x, y, r * 0.71, '#fffaf2') +
  at(x, y, food, r / 180)

const glass = (x: number, y: number, wine: string) =>
  circle(x + 6, y + 10, 62, '#6b5a4a', 'opacity=".2"') +
  circle(x, y, 62, '#fff', 'opacity=".65"') +
  circle(x, y, 50, wine) +
  ellipse(x - 16, y - 18, 16, 9, '#fff', 'opacity=".6"')

const fork = (x: number, y: number, turn: number) => {
  const tines = 'M0,120 L0,-40 M-24,-120 L-24,-70 C-24,-40 24,-40 24,-70 L24,-120 M0,-120 L0,-50'
  return `<g transform="translate(${x} ${y}) rotate(${turn})">${stroke(tines, '#b9b2ad', 11)}</g>`
}

const leaf = (x: number, y: number, size: number, green: string, turn: number) =>
  ellipse(x, y, size, size * 0.58, green, `transform="rotate(${turn} ${x} ${y})"`)

/** A point on a circle about the middle of a plate. */
const on = (radius: number, angle: number) =>
  [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))] as const

const noodle = (i: number) =>
  stroke(
    `M${-90 + i * 8},${-60 + i * 12} C${-20 + i * 6},${-110 + i * 20} ${40 - i * 4},${60 - i * 10} ${90 - i * 6},${-40 + i * 14}`,
    '#dfa840',
    9,
  )
const pasta =
  circle(0, 0, 118, '#f2c66b') +
  times(9, noodle) +
  times(5, (i) => {
    const [x, y] = on(30 + (i % 3) * 20, i * 1.9)
    return circle(x, y, 22, '#d9483b') + leaf(x + 24, y + 16, 20, '#4f9a5c', i * 70)
  })

const salad =
  times(15, (i) => leaf(...on(27 + (i % 3) * 27, i * 2.1), 46, i % 2 ? '#7dba6b' : '#55994f', i * 40)) +
  times(6, (i) => circle(...on(66, i), 20, i % 2 ? '#e25b4a' : '#f7ecd0'))

const pizza =
  circle(0, 0, 130, '#c98a45') +
  circle(0, 0, 112, '#f3c25e') +
  times(7, (i) => circle(...on(70, i * 0.9), 24, '#cf4a3a')) +
  times(6, (i) => leaf(...on(40, i * 1.1 + 1), 20, '#4f9a5c', i * 60)) +
  times(4, (i) => stroke(`M0,0 L${on(130, i * 1.57).join(',')}`, '#c98a45', 5))
