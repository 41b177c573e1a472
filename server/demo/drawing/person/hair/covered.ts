import { shape, stroke } from '../../svg.ts'
import type { Hair } from './strands.ts'

const OUTER =
  'M-192,-20 C-212,-214 -112,-298 0,-298 C112,-298 212,-214 192,-20 C200,110 196,210 236,330 C190,470 -190,470 -236,330 C-196,210 -200,110 -192,-20 Z'
const FACE =
  'M-150,-24 C-150,-136 -100,-190 0,-190 C100,-190 150,-136 150,-24 C150,84 118,158 60,192 C34,214 -34,214 -60,192 C-118,158 -150,84 -150,-24 Z'

/** A headscarf: its tones are those of the cloth. */
export const headscarf: Hair = {
  top: -298,
  front: (tones) =>
    shape(`${OUTER} ${FACE}`, tones.base, 'fill-rule="evenodd"') +
    shape(
      'M-150,-24 C-150,-136 -100,-190 0,-190 C100,-190 150,-136 150,-24 C142,-112 96,-160 0,-160 C-96,-160 -142,-112 -150,-24 Z',
      tones.dark,
      'opacity=".55"',
    ) +
    shape(
      'M-60,192 C-34,214 34,214 60,192 C130,260 190,300 236,330 C190,470 -190,470 -236,330 C-150,320 -96,270 -66,208 Z',
      tones.light,
      'opacity=".35"',
    ) +
    stroke(
      'M-60,226 C-100,300 -150,336 -214,352 M-30,240 C-50,320 -80,370 -130,410 M64,226 C110,280 150,310 214,330',
      tones.dark,
      7,
      'opacity=".5"',
    ) +
    stroke('M-126,-200 C-90,-246 -30,-262 30,-258', tones.light, 12, 'opacity=".5"'),
}
