import { createChance } from '../random.ts'
import { frameOfTrain } from './scenes/away.ts'
import { cloud, sail } from './scenes/nature.ts'
import { COLOURS, circle, lighter, PICTURE, rect, shape, stroke, times, wash } from './svg.ts'

const { width: W, height: H } = PICTURE
const TURN = 2 * Math.PI

/** One picture of a film that begins again where it ends: 0 ≤ `time` < 1. */
export type Moving = (time: number) => string

/** Waves that come and go at a beach. */
export const sea: Moving = (time) => {
  const chance = createChance(4)
  const glints = times(34, (i) => {
    const [y, length] = [640 + chance.next() * 300, 50 + chance.next() * 110]
    const x = chance.next() * W + 40 * Math.sin(TURN * (time + i / 7))
    return rect(x, y, length, 5, '#fff', `rx="2.5" opacity="${0.25 + 0.2 * Math.sin(TURN * (time + i / 5))}"`)
  })
  const swell = 26 * Math.sin(TURN * time)
  const foam = (lift: number, colour: string) =>
    shape(
      `M0,${960 + lift} C200,${930 + lift + swell / 2} 330,${985 + lift - swell / 2} 540,${960 + lift}
      C760,${934 + lift - swell / 2} 880,${984 + lift + swell / 2} ${W},${952 + lift} V${H} H0 Z`,
      colour,
    )
  return (
    wash('sky', ['#f9c9a8', '#fde6b8'], { height: 620 }) +
    circle(700, 380, 96, '#fff4d2') +
    cloud(260 + 24 * Math.sin(TURN * time), 170, 0.9) +
    wash('sea', ['#86a9c4', '#4f7fa6'], { y: 610, height: 440 }) +
    glints +
    `<g transform="rotate(${3 * Math.sin(TURN * time)} 300 610)">${sail(300, 606)}</g>` +
    foam(0, '#e3cda6') +
    foam(swell - 14, '#fff9ec') +
    foam(swell + 12, '#f2d9ae') +
    parasol
  )
}

const parasol =
  stroke('M820,760 L760,1240', '#9c7343', 16) +
  shape(
    'M560,880 C600,640 1010,600 1080,900 C1000,860 960,860 910,890 C850,850 790,850 735,880 C690,850 620,850 560,880 Z',
    COLOURS.petal,
  ) +
  shape('M735,880 C740,760 780,700 820,690 C880,700 905,770 910,890 C850,850 790,850 735,880 Z', COLOURS.cream) +
  shape('M90,1150 L520,1120 L560,1240 L110,1280 Z', COLOURS.teal) +
  stroke('M196,1144 L218,1270 M424,1128 L460,1250', lighter(COLOURS.teal, 0.5), 20)

/** Hills that pass the window of a train. */
export const train: Moving = (time) => {
  const passing = (drawn: string, rounds: number, width: number) =>
    [0, 1, 2].map((i) => `<g transform="translate(${(i - ((time * rounds) % 1)) * width} 0)">${drawn}</g>`).join('')
  const far = shape('M0,560 C180,440 320,620 500,540 C700,450 880,640 1080,560 V980 H0 Z', '#86a9a8')
  const near = shape('M0,730 C200,650 340,790 540,720 C760,650 900,790 1080,730 V980 H0 Z', '#9cba77')
  const farm =
    rect(300, 650, 90, 80, '#fbf1de') +
    shape('M286,656 L345,600 L404,656 Z', COLOURS.clay) +
    rect(332, 684, 26, 46, '#8f6f6a') +
    circle(760, 680, 56, '#6f9f62') +
    rect(752, 690, 16, 70, '#8a5a38') +
    circle(860, 700, 44, '#7fae6d') +
    rect(853, 710, 14, 60, '#8a5a38')
  const pole =
    rect(500, 380, 14, 560, '#5b6b52') +
    stroke('M0,410 C180,450 340,450 507,410 C700,450 900,450 1080,410', '#5b6b52', 5)
  return (
    wash('sky', ['#bfdcee', '#f4efdf'], { y: 100, height: 680 }) +
    circle(720, 300, 60, '#fff3d0') +
    passing(far, 1, W) +
    passing(near + farm, 2, W) +
    passing(pole, 4, W) +
    frameOfTrain('#3f5f78')
  )
}
