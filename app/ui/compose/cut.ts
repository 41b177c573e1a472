import { drawnAs } from '../media/downscale.ts'
import { boxOf, type Crop, type Ratio } from './crop-area.ts'

/** The widest that a picture is stored. */
const WIDEST = 1080

/** The part of a picture inside of a crop, as a file of its own; null where the browser cannot read or write it. */
export async function cut(file: Blob, crop: Crop, ratio: Ratio): Promise<Blob | null> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const box = boxOf(crop, picture, ratio)
    const part = await createImageBitmap(
      picture,
      Math.round(box.left * picture.width),
      Math.round(box.top * picture.height),
      Math.max(1, Math.round(box.width * picture.width)),
      Math.max(1, Math.round(box.height * picture.height)),
    )
    picture.close()
    const scale = Math.min(1, WIDEST / part.width)
    const size = { width: Math.round(part.width * scale), height: Math.round(part.height * scale) }
    return await drawnAs(part, size)
  } catch {
    return null
  }
}
