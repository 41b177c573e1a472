import { both, circle, ellipse, stroke, times } from '../../svg.ts'
import { around, cap, type Hair, locks, shine, type Tones } from './strands.ts'

const ring = (radius: number, from: number, to: number, count: number, r: number, y = -60) =>
  around(radius, from, to, count, { y }).map(([x, y]) => [x, y, r] as const)

const spirals = (points: readonly (readonly [number, number])[], { light }: Tones) =>
  points
    .map(([x, y]) =>
      stroke(
        `M${x - 15},${y + 8} C${x - 17},${y - 18} ${x + 17},${y - 18} ${x + 14},${y + 6}`,
        light,
        6.5,
        'opacity=".4"',
      ),
    )
    .join('')

export const afro: Hair = {
  top: -372,
  back: (tones) => circle(0, -98, 250, tones.base) + locks(ring(236, -22, 202, 20, 38, -98), tones.base),
  front: (tones) =>
    locks(ring(150, 14, 166, 9, 42, -76), tones.base) +
    spirals([...around(212, 30, 150, 6, { y: -98 }), ...around(172, 50, 130, 3, { y: -98 })], tones),
}

export const shortAfro: Hair = {
  top: -305,
  back: (tones) => locks(ring(168, -6, 186, 15, 40, -78), tones.base),
  front: (tones) =>
    cap(tones, { out: 8, top: -276, hairline: -150, sideburn: 6 }) +
    locks(ring(190, 26, 154, 11, 37, -78), tones.base) +
    spirals(around(170, 45, 135, 4, { y: -78 }), tones),
}

export const cloud: Hair = {
  top: -345,
  back: (tones) => circle(0, -30, 246, tones.dark) + locks([...ring(228, -58, 238, 18, 64, -40)], tones.dark),
  front: (tones) =>
    locks(
      [
        ...ring(206, 2, 178, 11, 64, -72),
        ...ring(150, 22, 120, 5, 48, -88),
        ...ring(178, -22, -2, 2, 44),
        ...ring(178, 182, 202, 2, 44),
      ],
      tones.base,
    ) + spirals([...around(226, 14, 166, 8, { y: -72 }), ...around(172, 50, 140, 4, { y: -72 })], tones),
}

export const puff: Hair = {
  top: -440,
  back: (tones) =>
    circle(0, -318, 96, tones.base) +
    locks(ring(92, -10, 190, 9, 30, -318), tones.base) +
    spirals(around(70, 20, 160, 4, { y: -318 }), tones),
  front: (tones) =>
    cap(tones, { out: 5, top: -266, hairline: -156, sideburn: 6 }) +
    stroke(
      'M-116,-166 C-92,-214 -56,-238 -20,-254 M116,-166 C92,-214 56,-238 20,-254 M0,-178 L0,-256',
      tones.dark,
      6,
      'opacity=".6"',
    ) +
    ellipse(0, -258, 76, 17, '#f3b43c'),
}

const strand = (x: number, length: number, tones: Tones, width: number) =>
  stroke(`M${x},-120 C${x * 1.14},40 ${x * 1.1},200 ${x * 1.12},${length}`, tones.base, width) +
  stroke(
    `M${x},-100 C${x * 1.14},40 ${x * 1.1},200 ${x * 1.12},${length - 10}`,
    tones.light,
    width * 0.5,
    'opacity=".28" stroke-dasharray="5 17"',
  )

export const boxBraids: Hair = {
  top: -292,
  back: (tones) =>
    ellipse(0, -60, 190, 200, tones.dark) + both(times(5, (i) => strand(110 + i * 26, 420 - i * 16, tones, 25))),
  front: (tones) =>
    cap(tones, { out: 12, top: -292, hairline: -156, sideburn: 20 }) +
    both(
      times(4, (i) =>
        stroke(
          `M${8 + i * 30},${-272 + i * 10} C${30 + i * 32},-230 ${56 + i * 26},-190 ${62 + i * 26},${-172 + i * 14}`,
          tones.light,
          6,
          'opacity=".38"',
        ),
      ),
    ) +
    both(strand(178, 330, tones, 25)) +
    both(circle(199, 318, 11, '#f3b43c')),
}

export const dreads: Hair = {
  top: -318,
  back: (tones) =>
    ellipse(0, -50, 192, 200, tones.dark) + both(times(4, (i) => strand(130 + i * 24, 190 - i * 26, tones, 32))),
  front: (tones) =>
    cap(tones, { out: 10, top: -288, hairline: -150, sideburn: 16 }) +
    both(
      times(4, (i) =>
        stroke(
          `M${18 + i * 34},${-292 + i * 13} C${64 + i * 36},${-284 + i * 16} ${110 + i * 26},-240 ${112 + i * 24},${-150 + i * 34}`,
          i % 2 ? tones.dark : tones.base,
          34,
        ),
      ),
    ) +
    both(strand(184, 110, tones, 32)) +
    shine(tones, 'M-60,-262 C-40,-276 -10,-282 14,-278'),
}

/** Short soft curls, as grandmothers wear them. */
export const perm: Hair = {
  top: -322,
  back: (tones) => locks(ring(182, -30, 210, 17, 48, -62), tones.dark),
  front: (tones) =>
    locks([...ring(190, -4, 184, 13, 52, -80), ...ring(150, 26, 154, 8, 40, -82)], tones.base) +
    spirals(around(192, 12, 168, 8, { y: -80 }), tones),
}
