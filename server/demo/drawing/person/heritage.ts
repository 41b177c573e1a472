/** Where the names of a family come from, as far as a name shows it. */
export type Heritage =
  | 'northern'
  | 'eastern'
  | 'southern'
  | 'latin'
  | 'african'
  | 'arabic'
  | 'south-asian'
  | 'east-asian'
  | 'anywhere'

/** Colours of a skin; `freckles`: light enough to show them. */
export type Skin = {
  readonly base: string
  readonly shade: string
  readonly blush: string
  readonly lip: string
  readonly freckles: boolean
}
const skin = (base: string, shade: string, blush: string, lip: string, freckles = false): Skin => {
  return { base, shade, blush, lip, freckles }
}

const FAIR = skin('#fcdcc6', '#eebb9c', '#f39a8d', '#d77370', true)
const LIGHT = skin('#f6cba9', '#e2a881', '#ec8a78', '#c9655f', true)
const WARM = skin('#eab98e', '#d2966a', '#e07a62', '#b9574d', true)
const OLIVE = skin('#dba478', '#bd8254', '#d06a50', '#a84c44')
const TAN = skin('#c58856', '#a46a3f', '#bd583d', '#944038')
const BROWN = skin('#a16a43', '#80502f', '#a2462f', '#7d342f')
const DEEP = skin('#7e4e33', '#623a25', '#8c3b2c', '#68282a')
const EBONY = skin('#613a2a', '#48281c', '#79332a', '#572228')

/** Hair by nature; `rare` for those whom one meets now and then. */
const DARK = ['#1f1a22', '#2b2126', '#3a2620'] as const
const FAIR_HAIR = ['#d9b26b', '#c2975a', '#a87c4c', '#e7cd94', '#c4632f', '#8a5a38', '#6b432b'] as const
const MIDDLE_HAIR = ['#6b432b', '#4e3223', '#8a5a38', '#a87c4c', '#3a2620'] as const
const WARM_HAIR = ['#3a2620', '#4e3223', '#2b2126', '#6b432b'] as const

const LIGHT_EYES = ['#5b8fb5', '#6f9d77', '#7a8b96', '#7b5233', '#4f7fa6'] as const
const DARK_EYES = ['#4a2d1c', '#5e3a22', '#3b2417'] as const
const MIXED_EYES = [...DARK_EYES, '#7b5233', '#7d8a4a'] as const

/** `texture`: how their hair falls. */
export type Texture = 'straight' | 'wavy' | 'coily'
export type Roots = {
  readonly skins: readonly Skin[]
  readonly hairs: readonly string[]
  readonly irises: readonly string[]
  readonly textures: readonly Texture[]
}

/** What people with such names often look like. None of it is a rule for anybody, and all of it is wide. */
export const ROOTS: Record<Heritage, Roots> = {
  northern: { skins: [FAIR, FAIR, LIGHT], hairs: FAIR_HAIR, irises: LIGHT_EYES, textures: ['straight', 'wavy'] },
  eastern: { skins: [FAIR, LIGHT, LIGHT], hairs: MIDDLE_HAIR, irises: LIGHT_EYES, textures: ['straight', 'wavy'] },
  southern: {
    skins: [LIGHT, WARM, OLIVE],
    hairs: WARM_HAIR,
    irises: MIXED_EYES,
    textures: ['wavy', 'straight', 'wavy'],
  },
  latin: { skins: [WARM, OLIVE, TAN], hairs: WARM_HAIR, irises: DARK_EYES, textures: ['wavy', 'straight', 'wavy'] },
  african: {
    skins: [BROWN, DEEP, EBONY, DEEP],
    hairs: [DARK[0], DARK[0], DARK[2]],
    irises: DARK_EYES,
    textures: ['coily'],
  },
  arabic: {
    skins: [WARM, OLIVE, OLIVE, TAN],
    hairs: [...DARK, '#4e3223'],
    irises: MIXED_EYES,
    textures: ['wavy', 'straight'],
  },
  'south-asian': { skins: [OLIVE, TAN, TAN, BROWN], hairs: DARK, irises: DARK_EYES, textures: ['straight', 'wavy'] },
  'east-asian': { skins: [FAIR, LIGHT, WARM], hairs: [...DARK, DARK[0]], irises: DARK_EYES, textures: ['straight'] },
  anywhere: {
    skins: [FAIR, LIGHT, WARM, OLIVE, TAN, BROWN, DEEP],
    hairs: [...DARK, ...WARM_HAIR],
    irises: MIXED_EYES,
    textures: ['straight', 'wavy', 'wavy'],
  },
}
