import { both, ellipse, shape, stroke, times } from '../../svg.ts'
import { cap, type Hair, shine, type Tones } from './strands.ts'

const CURTAIN =
  'M6,-290 C-110,-300 -206,-214 -190,-40 C-196,60 -200,130 -210,214 C-176,150 -152,70 -152,-16 C-146,-96 -84,-166 6,-214 Z'

const curtains = (tones: Tones) =>
  both(shape(CURTAIN, tones.base)) +
  both(stroke('M-40,-262 C-110,-232 -154,-150 -164,-60', tones.light, 10, 'opacity=".4"')) +
  stroke('M0,-288 L0,-216', tones.dark, 6, 'opacity=".6"')

const fall = (tones: Tones, bottom: number) =>
  shape(
    `M-186,-40 C-208,-220 -116,-294 0,-294 C116,-294 208,-220 186,-40 C198,120 212,${bottom - 150} 224,${bottom} C150,${bottom + 44} -150,${bottom + 44} -224,${bottom} C-212,${bottom - 150} -198,120 -186,-40 Z`,
    tones.dark,
  )

export const straight: Hair = { top: -294, back: (tones) => fall(tones, 440), front: curtains }

export const fringe: Hair = {
  top: -292,
  back: (tones) => fall(tones, 400),
  front: (tones) =>
    shape(
      'M-176,180 C-204,60 -210,-60 -190,-130 C-170,-246 -96,-292 0,-292 C96,-292 170,-246 190,-130 C210,-60 204,60 176,180 C162,110 154,40 152,-30 C154,-52 150,-70 144,-84 C60,-66 -60,-66 -144,-84 C-150,-70 -154,-52 -152,-30 C-154,40 -162,110 -176,180 Z',
      tones.base,
    ) +
    stroke('M-84,-190 L-92,-92 M-30,-196 L-34,-84 M30,-196 L34,-84 M84,-190 L92,-92', tones.dark, 6, 'opacity=".4"') +
    shine(tones, 'M-120,-206 C-70,-240 30,-250 90,-232'),
}

export const bob: Hair = {
  top: -298,
  back: (tones) =>
    shape(
      'M-188,-40 C-210,-226 -114,-298 0,-298 C114,-298 210,-226 188,-40 C202,50 214,110 198,186 C150,226 110,214 96,190 L-96,190 C-110,214 -150,226 -198,186 C-214,110 -202,50 -188,-40 Z',
      tones.dark,
    ),
  front: (tones) =>
    shape(
      'M-66,-288 C-166,-264 -206,-160 -190,-30 C-202,40 -206,110 -192,168 C-160,150 -146,60 -152,-20 C-150,-80 -120,-140 -66,-186 Z',
      tones.base,
    ) +
    shape(
      'M-76,-284 C60,-330 200,-230 190,-30 C202,40 206,110 192,168 C160,150 146,60 152,-20 C142,-110 60,-120 -70,-196 Z',
      tones.base,
    ) +
    shine(tones, 'M-20,-254 C50,-264 110,-230 138,-176'),
}

export const wavy: Hair = {
  top: -300,
  back: (tones) =>
    shape(
      'M-184,-60 C-212,-226 -114,-300 0,-300 C114,-300 212,-226 184,-60 C226,0 190,60 226,120 C258,190 210,240 246,310 C270,380 214,436 150,410 L-150,410 C-214,436 -270,380 -246,310 C-210,240 -258,190 -226,120 C-190,60 -226,0 -184,-60 Z',
      tones.dark,
    ),
  front: (tones) =>
    shape(
      'M-56,-292 C-150,-276 -206,-190 -188,-60 C-218,0 -184,60 -214,120 C-232,190 -196,226 -214,280 C-164,250 -178,180 -168,120 C-150,60 -160,20 -152,-30 C-142,-110 -104,-160 -56,-200 Z',
      tones.base,
    ) +
    shape(
      'M-66,-290 C70,-330 210,-230 188,-60 C218,0 184,60 214,120 C232,190 196,226 214,280 C164,250 178,180 168,120 C150,60 160,20 152,-30 C140,-120 50,-130 -60,-206 Z',
      tones.base,
    ) +
    stroke('M-186,60 C-206,110 -178,160 -196,220 M186,60 C206,110 178,160 196,220', tones.light, 9, 'opacity=".4"') +
    shine(tones, 'M-10,-258 C60,-264 118,-226 144,-166'),
}

export const ponytail: Hair = {
  top: -284,
  back: (tones) =>
    shape(
      'M100,-230 C230,-250 290,-120 262,20 C248,120 284,190 236,300 C230,220 180,190 176,90 C172,0 190,-90 100,-160 Z',
      tones.dark,
    ) + ellipse(136, -206, 26, 34, tones.light, 'opacity=".7"'),
  front: (tones) =>
    cap(tones, { out: 6, top: -284, hairline: -154, sideburn: 4 }) +
    stroke(
      'M-130,-140 C-70,-206 20,-236 110,-226 M-90,-152 C-40,-196 40,-216 126,-206 M60,-172 C90,-186 110,-190 136,-186',
      tones.dark,
      6,
      'opacity=".5"',
    ) +
    shine(tones, 'M-110,-206 C-70,-246 0,-262 56,-256'),
}

export const bun: Hair = {
  top: -392,
  back: (tones) =>
    ellipse(0, -318, 82, 74, tones.base) +
    stroke('M-54,-330 C-30,-372 34,-372 56,-326 M-40,-300 C-14,-330 20,-330 44,-300', tones.light, 8, 'opacity=".45"'),
  front: (tones) =>
    cap(tones, { out: 6, top: -278, hairline: -154, sideburn: 10 }) +
    stroke(
      'M-128,-150 C-100,-210 -60,-244 -14,-268 M128,-150 C100,-210 60,-244 14,-268 M-50,-172 C-40,-210 -24,-240 -6,-264 M50,-172 C40,-210 24,-240 6,-264',
      tones.dark,
      6,
      'opacity=".5"',
    ) +
    both(stroke('M-160,-30 C-172,20 -168,60 -156,92', tones.base, 8)),
}

export const plaits: Hair = {
  top: -290,
  back: (tones) => ellipse(0, -50, 190, 200, tones.dark),
  front: (tones) =>
    both(
      times(7, (i) => ellipse(188 + (i % 2 ? 8 : -4), 130 + i * 54, 40 - i * 2.2, 38, i % 2 ? tones.base : tones.dark)),
    ) +
    both(
      shape(
        'M6,-290 C-110,-300 -206,-214 -192,-40 C-200,30 -206,80 -196,124 C-164,80 -152,40 -152,-16 C-146,-96 -84,-166 6,-214 Z',
        tones.base,
      ),
    ) +
    stroke('M0,-288 L0,-216', tones.dark, 6, 'opacity=".6"') +
    shine(tones, 'M-130,-176 C-100,-226 -60,-250 -24,-258') +
    both(ellipse(188, 500, 24, 13, '#e8657f')),
}
