import type { Gender, INTERESTS } from '../../../../domain/profile/choices.ts'
import type { Heritage, Skin } from './heritage.ts'

/** Whom a drawing is of: what is known of them decides how they look. */
export type Sitter = {
  readonly firstName: string
  readonly gender: Gender
  readonly age: number
  readonly heritage: Heritage
  readonly interests: readonly (typeof INTERESTS)[number][]
}

export const STYLES = [
  'afro',
  'bald',
  'bob',
  'boxBraids',
  'bun',
  'cloud',
  'crop',
  'curls',
  'dreads',
  'fringe',
  'headscarf',
  'perm',
  'pixie',
  'plaits',
  'ponytail',
  'puff',
  'quiff',
  'receding',
  'shortAfro',
  'sidePart',
  'straight',
  'topknot',
  'waves',
  'wavy',
] as const
export type StyleName = (typeof STYLES)[number]
export type BeardName = 'none' | 'stubble' | 'short' | 'full' | 'moustache' | 'goatee'
export type EyesName = 'open' | 'bright' | 'smiling'
export type MouthName = 'smile' | 'half' | 'laugh' | 'lips'
export type Cut =
  | 'tee'
  | 'striped'
  | 'shirt'
  | 'turtleneck'
  | 'hoodie'
  | 'knit'
  | 'jacket'
  | 'blazer'
  | 'vneck'
  | 'straps'
  | 'dungarees'
  | 'denim'
export type Outfit = { readonly cut: Cut; readonly colour: string; readonly second: string }

/** Half widths of a face, in units of the figure: at the eyes, of the jaw, of the chin; and of the nose. */
export type FaceShape = { readonly half: number; readonly jaw: number; readonly chin: number; readonly nose: number }

/** How somebody looks in each of their pictures. */
export type Look = {
  readonly skin: Skin
  readonly face: FaceShape
  readonly eyes: EyesName
  readonly iris: string
  readonly mouth: MouthName
  readonly lips: string
  readonly hair: StyleName
  readonly hairColour: string
  readonly browColour: string
  readonly beard: BeardName
  readonly build: { readonly neck: number; readonly shoulders: number }
  readonly outfit: Outfit
  readonly glasses: 'round' | 'square' | null
  readonly earrings: 'hoops' | 'studs' | 'drops' | null
  readonly freckles: boolean
  readonly lashes: boolean
  /** 0 to 3: how much life has written into the face. */
  readonly lines: number
}
