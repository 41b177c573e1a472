import sharp from 'sharp'
import { failed, type UploadError } from '../kinds.ts'
import { openSealed, type SealedFile } from '../sealed-draft.ts'
import { blurredForms } from './blurring.ts'
import { type Form, formsOf } from './images.ts'

/** A picture of the store, and the sides at which forms of it are wanted: of itself as WebP and AVIF, and of its twin. */
export type Deriving = {
  readonly derive: SealedFile
  readonly webp: readonly number[]
  readonly avif: readonly number[]
  readonly blurred: readonly number[]
}
export type Derived = { readonly ok: true; readonly forms: readonly Form[]; readonly blurred: readonly Form[] }

const QUALITY = 55
/** Of the encoder, 0 to 9: the next step costs many times this one's time. */
const EFFORT = 3

/** Runs in a worker process, like everything that opens a picture. */
export async function deriveForms({ derive, webp, avif, blurred }: Deriving): Promise<Derived | UploadError> {
  try {
    const picture = await openSealed(derive).bytes()
    const { width, height } = await sharp(picture).metadata()
    return {
      ok: true,
      forms: [...(await formsOf(picture, webp)), ...(await avifForms(picture, avif))],
      blurred: await blurredForms(picture, { width, height }, blurred),
    }
  } catch {
    return failed
  }
}

async function avifForms(picture: Buffer, sides: readonly number[]): Promise<Form[]> {
  const forms: Form[] = []
  for (const side of sides) {
    const small = sharp(picture).resize({ width: side, height: side, fit: 'outside', withoutEnlargement: true })
    const content = await small.avif({ quality: QUALITY, effort: EFFORT }).toBuffer()
    forms.push({ side, mime: 'image/avif', content })
  }
  return forms
}
