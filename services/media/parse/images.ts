import sharp, { type Raw, type Sharp } from 'sharp'
import { type MediaPurpose, PICTURE_SIDES } from '../../../domain/shared/media.ts'
import { DRAWING, isKyc, type Sniffed } from '../kinds.ts'
import { bareOf } from './bare-picture.ts'
import { isOnItsSide, orientationIn, UPRIGHT, uprightFrom } from './orientation.ts'

// No picture is opened twice.
sharp.cache(false)

/** Refuses pixel floods before they are decoded (security T20). */
const MAX_PIXELS = 40e6
/** api-contract C71 */
const BOX = { width: 1080, height: 1350 }
const QUALITY = 80
/** Of the encoder, 0 to 6: the next step costs twice the time and saves a twentieth of the bytes. */
const EFFORT = 2
/** Where somebody waits for very many. */
const HASTE = 1
const PLACEHOLDER_PX = 16

/** A picture with fewer pixels, or of another type. `side`: of its shorter side, in pixels. */
export type Form = { readonly side: number; readonly mime: string; readonly content: Buffer }
export type Picture = {
  content: Buffer
  mime: string
  width: number
  height: number
  placeholder: string
  /** Smaller ones; papers shown for verification have none. */
  forms: readonly Form[]
}

const open = (bytes: Buffer) => sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })

/**
 * Upright, within the box, without metadata, with its forms, or only the one of the side `only`. Throws on anything that is not wholly
 * a picture of the sniffed format.
 */
export async function processImage(
  sent: Buffer,
  sniffed: Sniffed,
  purpose: MediaPurpose,
  only?: number,
): Promise<Picture> {
  const { picture, orientation } = sniffed.format === DRAWING.format ? drawing(sent) : await pictureOf(sent, sniffed)
  const whole = await pixelsOf(uprightFrom(shapedFor(picture, purpose, orientation), orientation))
  const { width, height } = whole.info
  const sides = smallerThan({ width, height }).filter((side) => only === undefined || side === only)
  const drawn =
    purpose === 'microbuzz' ? redrawn(whole).jpeg({ quality: QUALITY }) : webpOf(redrawn(whole), only ? HASTE : EFFORT)
  const { forms, smallest } = await formsFrom(whole, isKyc(purpose) ? [] : sides)
  return {
    content: await drawn.toBuffer(),
    mime: purpose === 'microbuzz' ? 'image/jpeg' : 'image/webp',
    width,
    height,
    placeholder: await placeholderOf(smallest),
    forms,
  }
}

/** `orientation`: how it lies (`orientationIn`). */
type Opened = { readonly picture: Sharp; readonly orientation: number }

const drawing = (sent: Buffer): Opened => ({ picture: open(sent).flatten(), orientation: UPRIGHT })

async function pictureOf(sent: Buffer, sniffed: Sniffed): Promise<Opened> {
  const { bytes, exif } = bareOf(sent, sniffed.format)
  const { format } = await open(bytes).metadata()
  if (format !== sniffed.format) throw new Error(`${sniffed.mime} holds ${format}`)
  return { picture: open(bytes), orientation: exif ? orientationIn(exif) : UPRIGHT }
}

/** The box of one that lies on its side does so too: a decoder shrinks only what is not turned yet. */
function shapedFor(picture: Sharp, purpose: MediaPurpose, orientation: number): Sharp {
  if (purpose === 'microbuzz') return picture.resize(320, 320, { fit: 'cover' })
  const box = isOnItsSide(orientation) ? { width: BOX.height, height: BOX.width } : BOX
  return picture.resize({ ...box, fit: 'inside', withoutEnlargement: true })
}

/** A picture that has been opened. */
type Pixels = { readonly data: Buffer; readonly info: Raw }

const pixelsOf = (picture: Sharp): Promise<Pixels> => picture.raw().toBuffer({ resolveWithObject: true })
const redrawn = ({ data, info }: Pixels) => sharp(data, { raw: info })
const webpOf = (picture: Sharp, effort = EFFORT) => picture.webp({ quality: QUALITY, effort })

/** The sides of the forms of a picture of this size. */
const smallerThan = ({ width, height }: { width: number; height: number }) =>
  PICTURE_SIDES.filter((side) => side < Math.min(width, height))

/** The same picture at these sides, as WebP. */
export const formsOf = async (picture: Buffer, sides: readonly number[]): Promise<Form[]> =>
  (await formsFrom(await pixelsOf(sharp(picture)), sides)).forms

/** Each is shrunk from the next larger one, which has all that it shows and fewer pixels than the whole; with those of the smallest. */
async function formsFrom(whole: Pixels, sides: readonly number[]): Promise<{ forms: Form[]; smallest: Pixels }> {
  const forms: Form[] = []
  let smallest = whole
  for (const side of sides.toSorted((a, b) => b - a)) {
    smallest = await pixelsOf(redrawn(smallest).resize({ width: side, height: side, fit: 'outside' }))
    forms.unshift({ side, mime: 'image/webp', content: await webpOf(redrawn(smallest)).toBuffer() })
  }
  return { forms, smallest }
}

/** Stands for a video without a still. */
export async function neutralPicture(width: number, height: number): Promise<Picture> {
  const portrait = height >= width
  const size = portrait ? { width: 480, height: 600 } : { width: 600, height: 480 }
  const gradient = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><defs>
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="#f7d9c4"/><stop offset="1" stop-color="#b8a4c9"/></linearGradient>
    </defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`
  const whole = await pixelsOf(sharp(Buffer.from(gradient)))
  const { forms, smallest } = await formsFrom(whole, smallerThan(size))
  const content = await redrawn(whole).webp({ quality: QUALITY }).toBuffer()
  return { content, mime: 'image/webp', ...size, placeholder: await placeholderOf(smallest), forms }
}

/** About two hundred bytes as a data address, shown until the picture is there. */
async function placeholderOf(pixels: Pixels): Promise<string> {
  const tiny = await redrawn(pixels)
    .resize({ width: PLACEHOLDER_PX, height: PLACEHOLDER_PX, fit: 'inside' })
    .webp({ quality: 20, alphaQuality: 0 })
    .toBuffer()
  return `data:image/webp;base64,${tiny.toString('base64')}`
}
