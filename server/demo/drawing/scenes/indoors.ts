import type { Chance } from '../../random.ts'
import { COLOURS, circle, darker, ellipse, lighter, mix, PICTURE, rect, shape, stroke, times, wash } from '../svg.ts'

const { width: W, height: H } = PICTURE
const WALLS = ['#f4e3cb', '#dfe7d8', '#f1d5cb', '#d9e3ea', '#e6dcf0', '#f6dfae'] as const
const SPINES = [
  COLOURS.honey,
  COLOURS.petal,
  COLOURS.leaf,
  COLOURS.clay,
  COLOURS.teal,
  COLOURS.navy,
  COLOURS.cream,
  COLOURS.berry,
  COLOURS.lilac,
  COLOURS.sage,
]

/** A plant in a pot; its foot is at the origin. */
export function plant(x: number, y: number, scale = 1, green = '#5c9271', pot: string = COLOURS.clay): string {
  const leaf = (angle: number, length: number) =>
    shape(
      `M0,0 C${length * 0.3},${-length * 0.35} ${length * 0.3},${-length * 0.8} 0,${-length} C${-length * 0.3},${-length * 0.8} ${-length * 0.3},${-length * 0.35} 0,0 Z`,
      angle % 2 ? green : darker(green, 0.14),
      `transform="translate(0 -120) rotate(${angle})"`,
    )
  const foliage = [-62, -35, 41, 64, -13, 12].map((angle, i) => leaf(angle, 210 + i * 14)).join('')
  return `<g transform="translate(${x} ${y}) scale(${scale})">${foliage}${shape('M-70,-130 H70 L52,0 H-52 Z', pot)}${rect(-78, -146, 156, 32, lighter(pot, 0.18), 'rx="8"')}</g>`
}

export function bookshelf(chance: Chance): string {
  const wood = chance.pick(['#b98a5e', '#8f6a50', '#d3ab7c'])
  const shelf = (y: number) => {
    let x = 24
    let books = ''
    while (x < W - 30) {
      const [w, h] = [chance.between(28, 58), chance.between(150, 232)]
      if (chance.chance(0.14)) x += 46
      const colour = mix(chance.pick(SPINES), darker(wood, 0.2), 0.22)
      books +=
        rect(x, y - h, w, h, colour, 'rx="4"') +
        rect(x + 6, y - h + 26, w - 12, 9, lighter(colour, 0.4)) +
        rect(x + 6, y - 40, w - 12, 6, lighter(colour, 0.4))
      x += w + 3
    }
    return (
      rect(0, y - 258, W, 258, darker(wood, 0.42)) +
      books +
      rect(0, y, W, 30, wood) +
      rect(0, y + 26, W, 8, darker(wood, 0.3))
    )
  }
  return rect(0, 0, W, H, darker(wood, 0.3)) + times(5, (i) => shelf(250 + i * 290))
}

export function cafe(chance: Chance): string {
  const wall = chance.pick(['#3f6b66', '#7a4f57', '#4d5a86', '#c98a5a'])
  const lamp = (x: number, y: number) =>
    stroke(`M${x},0 L${x},${y}`, darker(wall, 0.5), 5) +
    shape(`M${x - 70},${y + 62} C${x - 64},${y - 10} ${x + 64},${y - 10} ${x + 70},${y + 62} Z`, COLOURS.honey) +
    ellipse(x, y + 62, 60, 14, '#fff1c9') +
    circle(x, y + 90, 150, '#ffe3a0', 'opacity=".13"')
  const cup = (x: number, y: number) =>
    shape(
      `M${x - 28},${y - 44} H${x + 28} L${x + 20},${y} H${x - 20} Z`,
      chance.pick([COLOURS.cream, '#e9d6c0', COLOURS.petal, COLOURS.sky]),
    )
  const jar = (x: number, y: number) =>
    rect(x - 24, y - 84, 48, 84, chance.pick(SPINES), 'rx="10"') +
    rect(x - 20, y - 98, 40, 16, lighter(wall, 0.5), 'rx="4"')
  const shelf = (y: number) =>
    times(11, (i) => (chance.chance(0.5) ? cup : jar)(60 + i * 96, y)) +
    rect(0, y, W, 22, lighter(wall, 0.35)) +
    rect(0, y + 22, W, 10, darker(wall, 0.3))
  const tiles = times(
    10,
    (i) =>
      rect(i * 112 - 20, 860, 104, 74, lighter(wall, 0.2), 'rx="6"') +
      rect(i * 112 - 76, 942, 104, 74, lighter(wall, 0.15), 'rx="6"'),
  )
  return (
    wash('wall', [darker(wall, 0.14), lighter(wall, 0.14)]) +
    shelf(470) +
    shelf(700) +
    tiles +
    rect(0, 1030, W, H, mix('#9c6b48', wall, 0.15)) +
    rect(0, 1030, W, 20, '#b98860') +
    lamp(chance.between(140, 240), 200) +
    lamp(chance.between(820, 940), 150)
  )
}

/** A window, a plant, a picture on the wall. */
export function room(chance: Chance): string {
  const wall = chance.pick(WALLS)
  const x = chance.chance(0.5) ? 70 : 640
  const pane =
    rect(x - 18, 112, 406, 676, '#fffaf0', 'rx="10"') +
    rect(x, 130, 370, 640, '#bfe0ee') +
    shape(`M${x},600 C${x + 120},520 ${x + 220},640 ${x + 370},540 V770 H${x} Z`, '#9fc795') +
    circle(x + 260, 260, 52, '#fff3c8') +
    rect(x + 178, 130, 14, 640, '#fffaf0') +
    rect(x, 420, 370, 14, '#fffaf0') +
    rect(x - 40, 780, 450, 30, '#f3e6d2', 'rx="8"')
  const other = x < 300 ? 800 : 110
  const frame =
    rect(other, 190, 190, 240, '#fffaf0', 'rx="6"') +
    rect(other + 22, 212, 146, 196, chance.pick([COLOURS.honey, COLOURS.petal, COLOURS.teal, COLOURS.lilac])) +
    circle(other + 95, 300, 46, COLOURS.cream)
  return (
    wash('wall', [lighter(wall, 0.4), darker(wall, 0.06)]) +
    pane +
    frame +
    rect(0, 1010, W, H, darker(wall, 0.16)) +
    plant(other + 90, 1080, 1.15)
  )
}

/** Among large leaves. */
export function leaves(chance: Chance): string {
  const [wall, green] = chance.pick([
    ['#f3e4cc', '#4f8a68'],
    ['#2e5b4d', '#4f9070'],
    ['#f2cfc4', '#5b8f6c'],
    ['#e8e2f2', '#6a9c86'],
  ] as const)
  const leaf = (x: number, y: number, turn: number, size: number, fill: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">${shape('M0,0 C-150,-60 -170,-260 0,-400 C170,-260 150,-60 0,0 Z', fill)}${stroke('M0,0 L0,-370 M0,-90 L-86,-170 M0,-90 L86,-170 M0,-190 L-86,-270 M0,-190 L86,-270', lighter(fill, 0.22), 8)}</g>`
  const side = (x: number, out: number) =>
    times(6, (i) =>
      leaf(
        x + chance.between(-20, 20),
        170 + i * 190,
        out * chance.between(20, 100),
        0.75 + chance.next() * 0.45,
        mix(green, '#173b36', (i % 3) * 0.18),
      ),
    )
  return wash('wall', [lighter(wall, 0.2), darker(wall, 0.08)]) + side(-10, 1) + side(W + 10, -1)
}
