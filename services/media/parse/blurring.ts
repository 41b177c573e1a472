import sharp, { type Raw } from 'sharp'
import type { Form, Picture } from './images.ts'

/** What a blurred derivative still shows, in pixels of its longest side (security P2). */
const SHOWN_PX = 32
/** A picture so many times as large as what is left of it shrinks as well as a larger one. */
const ENOUGH = 8
/** Of the smoothing, in those pixels: as wide as this no edge of one of them is left for the eye to find. */
const SIGMA = 1.5
const QUALITY = 75
const EFFORT = 1

type Size = { readonly width: number; readonly height: number }
type Small = { readonly data: Buffer; readonly info: Raw }

/** A blurred twin: as large as the picture, though not larger than `upTo`, and with forms at the sides that it has below that. */
export async function blur(
  { content, width, height, placeholder, forms }: Picture,
  upTo = Number.POSITIVE_INFINITY,
): Promise<Picture> {
  const side = Math.min(width, height, upTo)
  const whole = scaledTo({ width, height }, side)
  const sides = forms.map((form) => form.side)
  // The same is left of each that is much larger, and a small one is opened sooner.
  const small = await shrunk(forms.find((form) => form.side >= ENOUGH * SHOWN_PX)?.content ?? content)
  return {
    content: await drawn(small, whole),
    mime: 'image/webp',
    ...whole,
    placeholder,
    forms: await blurredAt(
      small,
      whole,
      sides.filter((one) => one < side),
    ),
  }
}

const scaledTo = ({ width, height }: Size, side: number): Size => {
  const scaled = (length: number) => Math.max(1, Math.round((length * side) / Math.min(width, height)))
  return { width: scaled(width), height: scaled(height) }
}

/** The blurred forms of a picture, at these sides. */
export async function blurredForms(picture: Buffer, size: Size, sides: readonly number[]): Promise<Form[]> {
  return blurredAt(await shrunk(picture), size, sides)
}

async function blurredAt(small: Small, whole: Size, sides: readonly number[]): Promise<Form[]> {
  const forms: Form[] = []
  for (const side of sides) {
    const content = await drawn(small, scaledTo(whole, side))
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
