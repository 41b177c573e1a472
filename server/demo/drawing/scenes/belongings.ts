import type { Chance } from '../../random.ts'
import { at, COLOURS, circle, darker, ellipse, PICTURE, rect, round, shape, stroke, times } from '../svg.ts'
import { plant, room } from './indoors.ts'
import { beach } from './nature.ts'
import { bricks } from './town.ts'

const { width: W, height: H } = PICTURE

/** A bicycle that leans on a wall. */
export function bicycle(chance: Chance): string {
  const frame = chance.pick([COLOURS.teal, COLOURS.petal, COLOURS.honey, COLOURS.navy, COLOURS.leaf])
  const wheel = (x: number) => {
    const spokes = times(12, (i) => {
      const angle = (Math.PI / 6) * i
      return stroke(`M${x},0 L${round(x + 168 * Math.cos(angle))},${round(168 * Math.sin(angle))}`, '#e9e4dc', 3)
    })
    return `<circle cx="${x}" cy="0" r="178" fill="none" stroke="#2f2433" stroke-width="20"/><circle cx="${x}" cy="0" r="164" fill="none" stroke="#d8cfc4" stroke-width="7"/>${spokes}${circle(x, 0, 16, '#2f2433')}`
  }
  const bars =
    stroke('M-260,0 L-140,-240 L130,-250 L-30,-6 L-260,0 M-140,-240 L-30,-6 M250,0 L118,-300', frame, 20) +
    stroke('M-160,-296 L-140,-240', '#6b6470', 13) +
    shape('M-226,-318 C-190,-338 -120,-330 -96,-306 C-120,-290 -190,-288 -226,-318 Z', '#5b3a2a') +
    stroke('M118,-300 C130,-350 170,-350 196,-330', '#6b6470', 14) +
    stroke('M186,-336 L222,-316', '#5b3a2a', 20) +
    circle(-30, -6, 36, '#6b6470') +
    stroke('M-30,-6 L-4,56 M-22,60 H20', '#2f2433', 11)
  const basket =
    shape('M160,-286 H330 L304,-158 H182 Z', '#c79a62') +
    stroke('M168,-246 H322 M176,-204 H312 M206,-286 L212,-158 M246,-286 V-158 M286,-286 L280,-158', '#9c7343', 5)
  const bread = [-20, 10, 42]
    .map(
      (turn, i) =>
        `<g transform="translate(${206 + i * 34} -280) rotate(${turn})">${i === 1 ? shape('M-20,0 C-24,-150 24,-150 20,0 Z', '#d9a35c') : stroke('M0,0 L0,-70', '#5c9271', 8) + circle(0, -86, 27, i ? COLOURS.petal : COLOURS.cream)}</g>`,
    )
    .join('')
  return (
    bricks(chance) +
    rect(0, 1080, W, H, '#d9cdbf') +
    rect(0, 1080, W, 16, '#bfb2a3') +
    ellipse(540, 1136, 440, 26, '#8f8378', 'opacity=".5"') +
    at(530, 930, wheel(-260) + wheel(250) + bars + bread + basket, 1.12)
  )
}

/** A guitar in the corner of a room. */
export function guitar(chance: Chance): string {
  const rug =
    ellipse(540, 1250, 520, 90, COLOURS.petal, 'opacity=".75"') +
    ellipse(540, 1250, 400, 66, COLOURS.cream, 'opacity=".6"')
  const wood = chance.pick(['#d9964f', '#b9663a', '#8a4a32'])
  return (
    room(chance) +
    rug +
    `<g transform="translate(560 720) rotate(7) scale(1.06)">${guitarOf(wood)}</g>` +
    plant(150, 1240, 1.1, '#4f8a68', COLOURS.honey)
  )
}

const GUITAR =
  'M-120,40 C-190,90 -190,190 -128,230 C-180,280 -200,420 -110,470 C-40,506 40,506 110,470 C200,420 180,280 128,230 C190,190 190,90 120,40 C70,4 -70,4 -120,40 Z'

function guitarOf(wood: string): string {
  const body = shape(GUITAR, wood) + stroke(GUITAR, darker(wood, 0.35), 9)
  const neck =
    rect(-24, -420, 48, 580, '#5b3a2a', 'rx="6"') +
    times(11, (i) => rect(-24, -390 + i * 46, 48, 5, '#d8c7a0')) +
    shape('M-36,-540 H36 L28,-410 H-28 Z', '#44291f') +
    times(3, (i) => circle(-48, -520 + i * 42, 10, '#e9e4dc') + circle(48, -520 + i * 42, 10, '#e9e4dc'))
  const strings = times(4, (i) => rect(-15 + i * 10, -500, 2.4, 870, '#f3ead8'))
  const middle =
    circle(0, 190, 62, '#2f1f1a') +
    `<circle cx="0" cy="190" r="72" fill="none" stroke="${COLOURS.cream}" stroke-width="6"/>` +
    rect(-70, 356, 140, 24, '#44291f', 'rx="6"')
  return body + neck + middle + strings
}

/** A board in the sand. */
export function surfboard(chance: Chance): string {
  const [board, band] = chance.some([COLOURS.cream, COLOURS.petal, COLOURS.teal, COLOURS.honey, COLOURS.sky], 2) as [
    string,
    string,
  ]
  const outline = 'M0,-520 C130,-360 150,60 96,430 H-96 C-150,60 -130,-360 0,-520 Z'
  const drawn =
    shape(outline, board) +
    shape('M-128,-110 C-40,-60 40,-160 130,-100 L134,10 C40,-50 -40,60 -134,0 Z', band) +
    rect(-5, -500, 10, 930, darker(board, 0.2), 'opacity=".5"')
  return (
    beach(chance) +
    ellipse(600, 1180, 260, 30, '#b98f5c', 'opacity=".45"') +
    `<g transform="translate(560 780) rotate(9)">${drawn}</g>` +
    shape(`M0,1150 C240,1096 420,1166 620,1120 C800,1090 940,1150 ${W},1110 L${W},${H} L0,${H} Z`, '#e9c893')
  )
}
