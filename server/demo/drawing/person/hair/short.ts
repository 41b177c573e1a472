import { both, ellipse, shape, stroke } from '../../svg.ts'
import { around, cap, type Hair, locks, shine } from './strands.ts'

export const bald: Hair = {
  top: -235,
  front: () => stroke('M-96,-176 C-60,-206 -10,-214 30,-208', '#fff', 14, 'opacity=".22"'),
}

export const crop: Hair = {
  top: -258,
  front: (tones) =>
    cap(tones, { out: 3, top: -258, hairline: -158, sideburn: 8 }) +
    shine(tones, 'M-104,-206 C-60,-238 0,-246 50,-236'),
}

export const sidePart: Hair = {
  top: -297,
  front: (tones) =>
    shape(
      'M-174,4 C-196,-110 -188,-226 -98,-272 C-10,-316 150,-304 182,-190 C196,-130 184,-56 174,4 L150,-28 C152,-82 146,-112 128,-142 C50,-128 -46,-140 -102,-192 C-104,-152 -138,-112 -148,-84 C-152,-62 -150,-44 -150,-28 Z',
      tones.base,
    ) +
    shape(
      'M-102,-192 C-46,-140 50,-128 128,-142 C150,-120 152,-82 150,-28 L174,4 C186,-60 190,-110 178,-170 C120,-158 -30,-168 -98,-262 Z',
      tones.dark,
      'opacity=".45"',
    ) +
    shine(tones, 'M-50,-256 C0,-276 80,-272 124,-236'),
}

export const quiff: Hair = {
  top: -338,
  front: (tones) =>
    cap(tones, { out: 4, top: -262, hairline: -148, sideburn: 6 }) +
    shape(
      'M-132,-150 C-176,-220 -150,-300 -60,-312 C0,-350 130,-352 160,-268 C178,-222 160,-180 134,-150 C96,-176 60,-168 20,-178 C-30,-188 -90,-186 -132,-150 Z',
      tones.base,
    ) +
    stroke('M-96,-196 C-96,-250 -40,-290 30,-296 M-30,-198 C-20,-246 30,-276 100,-280', tones.light, 9, 'opacity=".5"'),
}

export const curls: Hair = {
  top: -326,
  front: (tones) =>
    cap(tones, { out: 4, top: -256, hairline: -140, sideburn: 10 }) +
    locks(
      [
        ...around(190, 26, 154, 9, { y: -72, flat: 1.08 }).map(([x, y]) => [x, y, 48] as const),
        ...around(126, 18, 162, 7, { y: -104 }).map(([x, y]) => [x, y, 46] as const),
      ],
      tones.base,
    ) +
    around(172, 40, 150, 6, { y: -84 })
      .map(([x, y]) =>
        stroke(
          `M${x - 20},${y + 6} C${x - 14},${y - 20} ${x + 16},${y - 20} ${x + 18},${y + 4}`,
          tones.light,
          7,
          'opacity=".5"',
        ),
      )
      .join(''),
}

/** What time has left at the sides. */
export const receding: Hair = {
  top: -236,
  front: (tones) =>
    both(
      shape(
        'M174,16 C190,-60 186,-112 160,-152 C150,-166 140,-168 132,-158 C140,-128 143,-100 143,-70 C143,-46 146,-36 150,-28 Z',
        tones.base,
      ),
    ) + stroke('M-70,-206 C-30,-222 30,-222 70,-206', tones.base, 9, 'opacity=".35"'),
}

export const pixie: Hair = {
  top: -296,
  back: (tones) => ellipse(0, -40, 186, 190, tones.dark),
  front: (tones) =>
    shape(
      'M-176,40 C-204,-110 -180,-236 -78,-276 C20,-318 162,-280 184,-160 C194,-90 188,-20 176,40 C164,20 154,-8 152,-44 C150,-76 142,-98 126,-118 C84,-84 0,-70 -104,-92 C-132,-80 -148,-60 -152,-34 C-156,0 -164,24 -176,40 Z',
      tones.base,
    ) +
    stroke('M110,-214 C80,-150 0,-116 -86,-112 M60,-246 C20,-180 -60,-150 -120,-140', tones.dark, 7, 'opacity=".5"') +
    shine(tones),
}

export const topknot: Hair = {
  top: -372,
  back: (tones) =>
    ellipse(0, -312, 66, 60, tones.base) +
    stroke('M-40,-322 C-20,-350 24,-350 42,-318', tones.light, 8, 'opacity=".5"'),
  front: (tones) =>
    cap(tones, { out: 4, top: -264, hairline: -160, sideburn: 6 }) +
    stroke(
      'M-120,-160 C-90,-210 -50,-240 -10,-258 M120,-160 C90,-210 50,-240 10,-258 M0,-170 L0,-256',
      tones.dark,
      6,
      'opacity=".55"',
    ) +
    ellipse(0, -262, 40, 13, tones.dark),
}

/** Chin-length waves, worn by anybody. */
export const waves: Hair = {
  top: -300,
  back: (tones) =>
    shape(
      'M-180,-60 C-206,-220 -110,-300 0,-300 C110,-300 206,-220 180,-60 C214,-10 186,40 210,90 C224,150 176,200 138,176 L-138,176 C-176,200 -224,150 -210,90 C-186,40 -214,-10 -180,-60 Z',
      tones.dark,
    ),
  front: (tones) =>
    shape(
      'M30,-292 C-96,-306 -200,-214 -184,-60 C-208,-16 -178,30 -196,74 C-176,66 -152,30 -154,-20 C-150,-92 -84,-150 30,-210 Z',
      tones.base,
    ) +
    shape(
      'M14,-296 C128,-300 202,-214 184,-60 C208,-16 178,30 196,74 C176,66 152,30 154,-20 C156,-100 110,-160 22,-216 Z',
      tones.base,
    ) +
    shine(tones, 'M-120,-190 C-90,-232 -50,-252 -10,-260') +
    stroke('M60,-256 C104,-240 130,-210 144,-170', tones.light, 12, 'opacity=".4"'),
}
