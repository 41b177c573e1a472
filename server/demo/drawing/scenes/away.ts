import type { Chance } from '../../random.ts'
import {
  at,
  COLOURS,
  circle,
  darker,
  ellipse,
  lighter,
  mix,
  PICTURE,
  rect,
  shape,
  stroke,
  times,
  wash,
} from '../svg.ts'

const { width: W, height: H } = PICTURE

/** A tent, and more stars than one can count. */
export function tent(chance: Chance): string {
  const canvas = chance.pick([COLOURS.honey, COLOURS.clay, COLOURS.teal])
  const stars = times(90, () =>
    circle(
      chance.between(0, W),
      chance.between(0, 760),
      chance.between(1, 4),
      '#fff6dd',
      `opacity="${0.4 + chance.next() * 0.6}"`,
    ),
  )
  const way = shape(
    `M760,0 C620,240 760,420 520,760 L820,760 C900,480 840,260 1010,0 Z`,
    COLOURS.lilac,
    'opacity=".16"',
  )
  return (
    wash('night', ['#171a3d', '#34356b', '#7c6fa8'], { height: 1000 }) +
    way +
    stars +
    hill(820, '#2b3157') +
    hill(930, '#20264a') +
    hill(1060, '#161b38') +
    at(500, 960, tentOf(canvas), 1.15) +
    at(880, 1190, fire, 1.1)
  )
}

const hill = (y: number, fill: string) =>
  shape(
    `M0,${y} C220,${y - 130} 380,${y + 20} 600,${y - 70} C780,${y - 140} 940,${y - 20} ${W},${y - 90} L${W},${H} L0,${H} Z`,
    fill,
  )

const tentOf = (canvas: string) =>
  ellipse(0, 190, 430, 60, '#ffd98c', 'opacity=".25"') +
  shape('M-320,190 C-230,60 -120,-110 0,-170 C120,-110 230,60 320,190 Z', canvas) +
  shape('M0,-170 C-40,-40 -90,90 -110,190 H110 C90,90 40,-40 0,-170 Z', '#ffe6a8') +
  shape('M0,-170 C-26,-40 -44,90 -52,190 H-110 C-90,90 -40,-40 0,-170 Z', lighter(canvas, 0.25)) +
  stroke('M-320,190 L-400,214 M320,190 L400,214', '#e9d6b0', 5)

const fire =
  circle(0, -30, 130, '#ff9f5a', 'opacity=".2"') +
  shape('M0,-130 C60,-70 76,-30 44,20 H-44 C-76,-30 -50,-60 -22,-86 C-18,-60 0,-70 0,-130 Z', '#f58a3c') +
  shape('M4,-70 C36,-36 40,-10 24,20 H-24 C-40,-12 -10,-30 4,-70 Z', '#ffd56b') +
  stroke('M-70,34 L70,12 M-70,12 L70,34', '#5b3a2a', 20)

/** The view from a night train, or an early one. */
export function train(chance: Chance): string {
  const wall = chance.pick(['#8f4a4a', '#3f5f78', '#5a6b52'])
  const [sky, hill, field] = chance.pick([
    [['#f9c9a0', '#fdecc8'], '#b98a9a', '#7f8a6a'],
    [['#bfdcee', '#f4efdf'], '#86a9a8', '#9cba77'],
    [['#37386e', '#a06a96'], '#4a4478', '#34355c'],
  ] as const)
  const wire = mix(field, COLOURS.night, 0.5)
  const view =
    wash('sky', sky, { y: 100, height: 680 }) +
    circle(720, 330, 60, '#fff3d0') +
    shape('M80,600 C300,470 460,640 640,540 C820,450 940,560 1010,510 L1010,980 L80,980 Z', hill) +
    shape('M80,760 C320,690 600,800 1010,720 L1010,980 L80,980 Z', field) +
    times(6, (i) => rect(150 + i * 170, 440, 9, 340, wire)) +
    stroke('M80,460 C300,490 600,460 1010,486', wire, 4)
  return view + frameOfTrain(wall)
}

/** A train from within, but for what its window shows. */
export const frameOfTrain = (wall: string): string => windowOf(wall) + table(wall)

function windowOf(wall: string): string {
  const opening = 'M150,100 H930 Q1000,100 1000,170 V870 Q1000,940 930,940 H150 Q80,940 80,870 V170 Q80,100 150,100 Z'
  return (
    shape(`M0,0 H${W} V${H} H0 Z ${opening}`, wall, 'fill-rule="evenodd"') +
    stroke(opening, lighter(wall, 0.3), 20) +
    shape('M84,110 H270 C260,400 200,720 130,930 H84 Z', COLOURS.honey) +
    stroke('M140,114 C140,460 120,720 100,920 M206,114 C200,460 164,720 140,920', darker(COLOURS.honey, 0.2), 7)
  )
}

function table(wall: string): string {
  const cup =
    shape('M-70,-150 H70 L56,0 H-56 Z', '#fffaf0') +
    rect(-66, -110, 132, 62, COLOURS.petal) +
    rect(-78, -168, 156, 26, '#6b4432', 'rx="10"')
  const books =
    rect(-150, -40, 300, 40, COLOURS.teal, 'rx="5"') +
    rect(-130, -74, 270, 36, COLOURS.cream, 'rx="5"') +
    rect(-140, -104, 250, 32, COLOURS.berry, 'rx="5"')
  const wood = '#d8c3a2'
  return (
    rect(0, 1060, W, H, darker(wall, 0.3)) +
    shape(`M60,1090 H1020 L${W + 40},1200 H-40 Z`, wood) +
    at(300, 1160, cup, 1.15) +
    at(720, 1170, books, 1.15) +
    rect(-40, 1198, W + 80, 30, darker(wood, 0.25)) +
    rect(0, 1226, W, H, darker(wall, 0.45))
  )
}
