import type { Chance } from '../../random.ts'
import { COLOURS, circle, darker, lighter, mix, PICTURE, rect, shape, stroke, times, wash } from '../svg.ts'

const { width: W, height: H } = PICTURE

/** A row of houses with their windows, from side to side. */
function houses(
  chance: Chance,
  base: number,
  [low, high]: readonly [number, number],
  fill: string,
  lit: number,
): string {
  let x = -30
  let drawn = ''
  while (x < W) {
    const [w, h] = [chance.between(110, 180), chance.between(low, high)]
    const roof = chance.chance(0.3)
      ? shape(`M${x},${base - h} L${x + w / 2},${base - h - 50} L${x + w},${base - h} Z`, fill)
      : ''
    drawn +=
      roof +
      rect(x, base - h, w + 2, h + H, fill) +
      panes(chance, { x, y: base - h, w, rows: Math.floor(h / 62), lit, fill })
    x += w
  }
  return drawn
}

type Panes = { x: number; y: number; w: number; rows: number; lit: number; fill: string }

function panes(chance: Chance, { x, y, w, rows, lit, fill }: Panes): string {
  const columns = Math.floor((w - 20) / 42)
  const gap = (w - columns * 22) / (columns + 1)
  return times(rows * columns, (i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    const colour = chance.chance(lit) ? chance.pick(['#ffdf9a', '#ffd07a', '#fff0c4']) : mix(fill, '#14102a', 0.25)
    return rect(x + gap + column * (22 + gap), y + 26 + row * 58, 22, 32, colour, 'rx="3"')
  })
}

/** The city when its lights go on. */
export function dusk(chance: Chance): string {
  const [sky, far, near] = chance.pick([
    [['#453a78', '#b2608a', '#f9b27c'], '#7a5590', '#4a3a6d'],
    [['#2b3a6b', '#7f6aa6', '#f4b7a0'], '#61619a', '#3a3f70'],
    [['#5b4a8c', '#e07f7c', '#fcd08e'], '#9b5f86', '#5b416f'],
  ] as const)
  return (
    wash('sky', sky, { height: 900 }) +
    circle(chance.between(220, 860), 520, 82, '#ffe6b0', 'opacity=".9"') +
    houses(chance, 800, [120, 330], far, 0.35) +
    houses(chance, 980, [90, 300], near, 0.5) +
    rect(0, 1000, W, 400, darker(near, 0.4)) +
    bokeh(chance, 1010, 1320)
  )
}

const bokeh = (chance: Chance, from: number, to: number) =>
  times(20, () =>
    circle(
      chance.between(0, W),
      chance.between(from, to),
      chance.between(14, 44),
      chance.pick(['#ffd07a', '#ff9f7a', '#fff0c4', '#f58ca0']),
      'opacity=".35"',
    ),
  )

/** An evening under strings of lamps. */
export function lanterns(chance: Chance): string {
  const wall = chance.pick(['#3b3160', '#2c3f5e', '#4a2f52'])
  const string = (y: number, sag: number) => {
    const height = (x: number) => y + sag * 4 * (x / W) * (1 - x / W)
    const bulbs = times(9, (i) => {
      const x = 60 + i * 120
      return circle(x, height(x) + 18, 40, '#ffd98c', 'opacity=".2"') + circle(x, height(x) + 18, 17, '#ffe9b8')
    })
    return stroke(`M0,${y} Q${W / 2},${y + sag * 2} ${W},${y}`, darker(wall, 0.5), 5) + bulbs
  }
  return (
    wash('night', [wall, mix(wall, '#c0607f', 0.45)]) +
    bokeh(chance, 480, 1050) +
    string(90, 120) +
    string(250, 90) +
    houses(chance, 1080, [140, 300], darker(wall, 0.25), 0.3)
  )
}

export function bricks(chance: Chance): string {
  const [wall, band] = chance.pick([
    ['#d98f6c', COLOURS.cream],
    ['#c9b8a4', COLOURS.teal],
    ['#b9737a', COLOURS.honey],
    ['#8fa8b5', COLOURS.petal],
  ] as const)
  const joint = lighter(wall, 0.28)
  const rows = times(19, (row) => {
    const y = row * 74
    return rect(0, y, W, 7, joint) + times(8, (i) => rect(i * 160 + (row % 2 ? 80 : 0) - 40, y, 7, 74, joint))
  })
  const some = times(14, () =>
    rect(chance.between(-1, 6) * 160 + 47, chance.between(0, 8) * 148 + 81, 153, 67, darker(wall, 0.08)),
  )
  const mural = shape(
    `M0,${chance.between(560, 700)} C300,420 640,860 ${W},${chance.between(420, 600)} L${W},${H} L0,${H} Z`,
    band,
    'opacity=".32"',
  )
  return rect(0, 0, W, H, wall) + some + rows + mural
}

/** A narrow street in daylight. */
export function street(chance: Chance): string {
  const [left, right, sky] = chance.pick([
    ['#f2c98a', '#e59a86', '#cfe7f3'],
    ['#e9b7a4', '#a9c7b8', '#dcebf5'],
    ['#f3dfb8', '#c6b6dc', '#d2e8ee'],
  ] as const)
  const paving = times(9, (i) => stroke(`M${-200 + i * 185},${H} L${470 + i * 18},900`, '#cdbba4', 4))
  const chapel =
    rect(430, 420, 220, 500, '#d9c4b2') +
    shape('M430,420 L540,340 L650,420 Z', '#b9705a') +
    rect(494, 760, 92, 160, '#8f6f6a', 'rx="46"') +
    circle(540, 560, 34, '#8f7f86')
  return (
    wash('sky', [sky, '#fdf3df'], { height: 960 }) +
    chapel +
    front(chance, left) +
    `<g transform="translate(${W} 0) scale(-1 1)">${front(chance, right)}</g>` +
    shape(`M0,1160 L430,900 L650,900 L${W},1160 L${W},${H} L0,${H} Z`, '#e2d3bd') +
    paving
  )
}

/** Its left side, which gets smaller towards the end of it. */
function front(chance: Chance, fill: string): string {
  const [glass, entrance] = [mix(fill, COLOURS.night, 0.5), mix(fill, COLOURS.night, 0.38)]
  const openings = times(3, (i) => {
    const [x, w, ground] = [50 + i * 130, 78 - i * 16, 1112 - i * 78]
    const tall = 250 - i * 46
    const awning = chance.pick([COLOURS.petal, COLOURS.leaf, COLOURS.honey, COLOURS.teal])
    return (
      rect(x, 340 + i * 70, w, 150 - i * 22, glass, 'rx="36"') +
      rect(x - 8, 490 + i * 48, w + 16, 12, lighter(fill, 0.5)) +
      rect(x, ground - tall, w, tall, entrance, 'rx="8"') +
      rect(x - 18, ground - tall - 20, w + 36, 30, awning, 'rx="8"')
    )
  })
  return shape('M0,0 L430,330 L430,900 L0,1160 Z', fill) + openings
}
