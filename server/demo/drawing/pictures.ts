import sharp from 'sharp'
import { type Chance, createChance } from '../random.ts'
import { outingOf, thingsOf } from './choice.ts'
import { grain } from './grain.ts'
import { GROUNDS } from './grounds.ts'
import { lookOf, outfitOf } from './person/choose-look.ts'
import { type Frame, figure, headOf } from './person/figure.ts'
import type { Look, Sitter } from './person/look.ts'
import { PICTURE } from './svg.ts'

/** Quick to make: the upload encodes it anew anyway. */
const JPEG = { quality: 92 } as const

/** The pictures of somebody, drawn when they are asked for; the same sitter and seed give the same ones. */
export type Sitting = {
  readonly look: Look
  /** Where the head is in the portrait. */
  readonly frame: Frame
  portrait(): string
  /** They themselves, on a day out. */
  outing(): string
  /** What they like, each time something else; 0 and on. */
  thing(number: number): string
}

export function sit(seed: number, sitter: Sitter): Sitting {
  const look = lookOf(createChance(seed), sitter)
  const frame = portraitFrame(createChance(seed + 1), look)
  const day = outingOf(createChance(seed + 3), sitter.interests)
  return {
    look,
    frame,
    portrait() {
      const chance = createChance(seed + 2)
      return chance.pick(GROUNDS)(chance) + figure(look, frame)
    },
    outing() {
      const chance = createChance(seed + 4)
      const there = figure({ ...look, outfit: outfitOf(chance, sitter, look.hair) }, outingFrame(chance))
      return day.behind(chance) + there + (day.before?.(chance) ?? '')
    },
    thing(number) {
      const scene = thingsOf(createChance(seed + 5), sitter.interests, day)[number]!
      return scene(createChance(seed + 6 + number))
    },
  }
}

/** The head is about half of the picture, more where the hair is worn high; its middle is on the line of the upper third. */
function portraitFrame(chance: Chance, look: Look): Frame {
  const high = headOf(look).top < HIGH
  const height = high ? 0.54 : 0.47 + chance.next() * 0.06
  return { height, x: 0.48 + chance.next() * 0.04, y: 1 / 3, tilt: chance.next() * 8 - 4 }
}

const HIGH = -350

function outingFrame(chance: Chance): Frame {
  return { height: 0.27 + chance.next() * 0.06, x: chance.pick([0.36, 0.42]), y: 0.54, tilt: chance.next() * 10 - 5 }
}

/** A drawing as an SVG file, so many pixels wide. */
export async function fileOf(drawing: string, wide: number = PICTURE.width): Promise<Buffer> {
  const { width, height } = PICTURE
  const size = `width="${wide}" height="${(wide * height) / width}" viewBox="0 0 ${width} ${height}"`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${await grain()}${drawing}</svg>`)
}

/** A drawing as a file that could have been uploaded. */
export async function render(drawing: string, wide?: number): Promise<Buffer> {
  return sharp(await fileOf(drawing, wide))
    .jpeg(JPEG)
    .toBuffer()
}
