import sharp, { type Raw } from 'sharp'
import type { Form, Picture } from './images.ts'

/** What a blurred derivative still shows, in pixels of its longest side (security P2). */
const SHOWN_PX = 32
/** Of the smoothing, in those pixels: as wide as this no edge of one of them is left for the eye to find. */
const SIGMA = 1.5
const QUALITY = 75
const EFFORT = 1

type Size = { readonly width: number; readonly height: number }
type Small = { readonly data: Buffer; readonly info: Raw }

/** A blurred twin: as large as the picture, and with forms at the same sides. */
export async function blur({ content, width, height, placeholder, forms }: Picture): Promise<Picture> {
  const small = await shrunk(content)
  const whole = { width, height }
  return {
    content: await drawn(small, whole),
    mime: 'image/webp',
    ...whole,
    placeholder,
    forms: await blurredAt(
      small,
      whole,
      forms.map(({ side }) => side),
    ),
  }
}

/** The blurred forms of a picture, at these sides. */
export async function blurredForms(picture: Buffer, size: Size, sides: readonly number[]): Promise<Form[]> {
  return blurredAt(await shrunk(picture), size, sides)
}

async function blurredAt(small: Small, { width, height }: Size, sides: readonly number[]): Promise<Form[]> {
  const shorter = Math.min(width, height)
  const scaled = (length: number, side: number) => Math.max(1, Math.round((length * side) / shorter))
  const forms: Form[] = []
  for (const side of sides) {
    const content = await drawn(small, { width: scaled(width, side), height: scaled(height, side) })
    forms.push({ side, mime: 'image/webp', content })
  }
  return forms
}

/** Shrunk and smoothed: what is gone cannot be sharpened back, and what is left has no steps that grow into a mosaic. */
const shrunk = (picture: Buffer): Promise<Small> =>
  sharp(picture)
    .resize({ width: SHOWN_PX, height: SHOWN_PX, fit: 'inside' })
    .blur(SIGMA)
    .raw()
    .toBuffer({ resolveWithObject: true })

const drawn = ({ data, info }: Small, size: Size): Promise<Buffer> =>
  sharp(data, { raw: info })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer()
