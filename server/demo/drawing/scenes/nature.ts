import type { Chance } from '../../random.ts'
import { circle, ellipse, lighter, mix, PICTURE, rect, shape, stroke, times, wash } from '../svg.ts'

const { width: W, height: H } = PICTURE

/** A wavy edge from side to side, filled down to the bottom. */
export function ridge(chance: Chance, y: number, swing: number, fill: string, steps = 5): string {
  const points = Array.from(
    { length: steps + 1 },
    (_, i) => [Math.round((W / steps) * i), y + chance.between(-swing, swing)] as const,
  )
  const curve = points.slice(1).map(([x, py], i) => {
    const [px, before] = points[i]!
    const half = Math.round((px + x) / 2)
    return `C${half},${before} ${half},${py} ${x},${py}`
  })
  return shape(`M0,${points[0]![1]} ${curve.join(' ')} L${W},${H} L0,${H} Z`, fill)
}

/** Crowns of trees seen out of focus. */
function crowns(chance: Chance, y: number, [from, to]: readonly [number, number], fill: string, count = 9): string {
  return times(count, (i) =>
    circle(
      (W / (count - 1)) * i + chance.between(-50, 50),
      y + chance.between(-60, 60),
      chance.between(from, to),
      fill,
    ),
  )
}

export const cloud = (x: number, y: number, scale: number, fill = '#fff', opacity = 0.8) =>
  `<g transform="translate(${x} ${y}) scale(${scale})" opacity="${opacity}">${shape('M-150,30 C-190,30 -190,-24 -140,-26 C-130,-84 -50,-92 -28,-46 C6,-80 74,-60 76,-18 C128,-26 150,30 104,30 Z', fill)}</g>`

export const clouds = (chance: Chance, fill = '#fff', opacity = 0.8) =>
  cloud(chance.between(120, 330), chance.between(120, 200), 0.9, fill, opacity) +
  cloud(chance.between(720, 960), chance.between(210, 330), 0.7, fill, opacity)

export function park(chance: Chance): string {
  const [far, mid, near] = chance.pick([
    ['#c6dfb9', '#9fc795', '#7ab07e'],
    ['#d5e3ae', '#b3cd86', '#8cb26d'],
    ['#bcdcca', '#93c3ab', '#6ba78d'],
  ] as const)
  const spots = times(12, () =>
    circle(chance.between(0, W), chance.between(60, 560), chance.between(14, 46), '#fffbe0', 'opacity=".4"'),
  )
  return (
    wash('sky', ['#f3f6df', '#dbeed8']) +
    crowns(chance, 420, [150, 240], far) +
    crowns(chance, 700, [130, 210], mid) +
    spots +
    ridge(chance, 880, 30, near)
  )
}

export function autumn(chance: Chance): string {
  const leaf = () =>
    ellipse(
      0,
      0,
      16,
      8,
      chance.pick(['#e8833a', '#d55a35', '#f3b43c']),
      `transform="translate(${chance.between(0, W)} ${chance.between(60, 1250)}) rotate(${chance.between(0, 180)})"`,
    )
  return (
    wash('sky', ['#fdeecf', '#f8d9a8']) +
    crowns(chance, 400, [150, 230], '#f4c377') +
    crowns(chance, 650, [140, 210], '#e79c52') +
    ridge(chance, 860, 30, '#c9774a') +
    times(22, leaf)
  )
}

export function beach(chance: Chance): string {
  const [sky, sea] = chance.pick([
    [
      ['#bfe0f0', '#fbe9cd'],
      ['#6fb7c4', '#3f92a8'],
    ],
    [
      ['#f9c9a8', '#fde6b8'],
      ['#86a9c4', '#5c83ab'],
    ],
    [
      ['#a5d0e8', '#e9f3ee'],
      ['#58a9b5', '#2f8a9e'],
    ],
  ] as const)
  const sun = chance.between(180, 900)
  const glints = times(26, () => {
    const y = chance.between(640, 930)
    return rect(chance.between(0, W), y, chance.between(40, 150), 5, '#fff', 'rx="2.5" opacity=".4"')
  })
  const foam =
    shape(`M0,960 C200,930 330,985 540,960 C760,934 880,984 ${W},952 L${W},${H} L0,${H} Z`, '#fff9ec') +
    shape(`M0,984 C200,956 330,1010 540,984 C760,958 880,1008 ${W},976 L${W},${H} L0,${H} Z`, '#f2d9ae')
  return (
    wash('sky', sky, { height: 620 }) +
    circle(sun, 330, 90, '#fff4d2') +
    clouds(chance, '#fff', 0.6) +
    wash('sea', sea, { y: 610, height: 420 }) +
    glints +
    foam +
    sail(chance.between(140, 940), 606)
  )
}

export const sail = (x: number, y: number) =>
  `<g transform="translate(${x} ${y})">${shape('M0,-92 L46,-8 L0,-8 Z M-6,-74 L-36,-8 L-6,-8 Z', '#fffaf0')}${shape('M-44,0 H52 L34,20 H-30 Z', '#c95a45')}</g>`

export function mountains(chance: Chance): string {
  const [sky, far, mid, wood] = chance.pick([
    [['#bfe0f2', '#f6ecd6'], '#8fa9c6', '#5f7ea6', '#3f6f63'],
    [['#f7c7a3', '#fde7c0'], '#b18aa5', '#84628f', '#4c4f6d'],
    [['#cfe7ea', '#f8f3e2'], '#93b4ae', '#638f86', '#3c6a5b'],
  ] as const)
  const peak = (x: number, y: number, half: number, fill: string) =>
    shape(`M${x - half},1000 L${x},${y} L${x + half},1000 Z`, fill) +
    shape(
      `M${x},${y} L${x + half},1000 L${x + half * 0.2},1000 L${x - half * 0.06},${y + 210} L${x + half * 0.1},${y + 150} Z`,
      mix(fill, '#2f2748', 0.16),
    ) +
    shape(
      `M${x},${y} L${x + half * 0.24},${y + (1000 - y) * 0.24} L${x + half * 0.1},${y + (1000 - y) * 0.2} L${x - half * 0.02},${y + (1000 - y) * 0.29} L${x - half * 0.12},${y + (1000 - y) * 0.2} L${x - half * 0.25},${y + (1000 - y) * 0.25} Z`,
      '#fffaf2',
    )
  return (
    wash('sky', sky) +
    clouds(chance) +
    peak(chance.between(160, 330), 330, 460, far) +
    peak(chance.between(700, 900), 250, 540, mid) +
    ridge(chance, 860, 40, mix(wood, '#ffffff', 0.28)) +
    pines(chance, 960, mix(wood, '#ffffff', 0.1)) +
    ridge(chance, 1010, 24, wood) +
    pines(chance, 1160, mix(wood, '#1c1830', 0.22), 1.35) +
    ridge(chance, 1200, 20, mix(wood, '#1c1830', 0.22))
  )
}

function pines(chance: Chance, y: number, fill: string, scale = 1): string {
  return times(13, (i) => {
    const [x, h] = [i * 90 + chance.between(-34, 34), chance.between(110, 190) * scale]
    const w = h * 0.26
    return shape(
      `M${x},${y - h} L${x + w * 0.6},${y - h * 0.55} L${x + w * 0.35},${y - h * 0.55} L${x + w},${y + 20} L${x - w},${y + 20} L${x - w * 0.35},${y - h * 0.55} L${x - w * 0.6},${y - h * 0.55} Z`,
      fill,
    )
  })
}

export function lake(chance: Chance): string {
  const [sky, hill, water] = chance.pick([
    [['#f9dcb8', '#fdf0d8'], '#7f9f8f', ['#e9d3b4', '#86aab0']],
    [['#c5dff0', '#f5efe0'], '#6d97a0', ['#b9d6e0', '#5f96a8']],
    [['#dccdf0', '#fbe3d6'], '#8f84ad', ['#e2cfe0', '#8690bd']],
  ] as const)
  const shore = 660
  const mirror = `<g transform="translate(0 ${2 * shore}) scale(1 -1)" opacity=".35">${shape(`M0,540 C180,460 300,600 480,520 C660,440 860,590 ${W},500 L${W},${shore} L0,${shore} Z`, hill)}</g>`
  const hills =
    shape(
      `M0,500 C200,380 330,560 520,450 C700,350 900,520 ${W},420 L${W},${shore} L0,${shore} Z`,
      lighter(hill, 0.4),
    ) + shape(`M0,540 C180,460 300,600 480,520 C660,440 860,590 ${W},500 L${W},${shore} L0,${shore} Z`, hill)
  const reeds = times(16, () => {
    const x = chance.between(0, 240)
    return stroke(
      `M${x},1350 C${x + 8},1260 ${x - 12},1190 ${x + chance.between(-20, 30)},${chance.between(1020, 1160)}`,
      mix(hill, '#1c1830', 0.3),
      7,
    )
  })
  const ripples = times(18, () =>
    rect(chance.between(0, W), chance.between(700, 1150), chance.between(60, 200), 4, '#fff', 'rx="2" opacity=".35"'),
  )
  return (
    wash('sky', sky, { height: 680 }) +
    circle(chance.between(240, 840), 300, 76, '#fff6dd') +
    hills +
    wash('water', water, { y: shore, height: H - shore }) +
    mirror +
    ripples +
    reeds
  )
}

/** Snow that falls. */
export const flakes = (chance: Chance): string =>
  times(60, () => circle(chance.between(0, W), chance.between(0, H), chance.between(3, 8), '#fff', 'opacity=".85"'))

export function snow(chance: Chance): string {
  return (
    wash('sky', ['#a9c4e2', '#e9ecf5']) +
    ridge(chance, 520, 110, '#c9d5ea', 4) +
    ridge(chance, 640, 60, '#dbe4f2') +
    pines(chance, 800, '#587a8c') +
    ridge(chance, 820, 26, '#eef3fa') +
    pines(chance, 1010, '#3c5d72', 1.5) +
    ridge(chance, 1020, 16, '#fbfdff') +
    flakes(chance)
  )
}
