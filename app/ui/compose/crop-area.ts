/** The part of a picture that is shown: `x` and `y` are its middle, all in shares of the picture, from 0 to 1. */
export type Crop = { x: number; y: number; zoom: number }
/** The same as a box: its upper left corner and its size. */
export type CropBox = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }

/** The ratios that the product shows: of a post and a profile, and of an avatar. */
export const RATIOS = { portrait: 4 / 5, square: 1 } as const
export type Ratio = keyof typeof RATIOS

export const ZOOM_MAX = 4

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
const orElse = (value: number, instead: number) => (Number.isFinite(value) ? value : instead)

/** The box of a crop, as large as its zoom allows. */
export function boxOf({ x, y, zoom }: Crop, picture: Size, ratio: Ratio): CropBox {
  // How wide the box is, in heights of the picture.
  const [own, wanted] = [picture.width / picture.height, RATIOS[ratio]]
  const width = Math.min(1, wanted / own) / zoom
  const height = Math.min(1, own / wanted) / zoom
  return { left: x - width / 2, top: y - height / 2, width, height }
}

/** The nearest crop that lies inside of the picture; numbers that are none take the middle. */
export function inside(crop: Crop, picture: Size, ratio: Ratio): Crop {
  const zoom = clamp(orElse(crop.zoom, 1), 1, ZOOM_MAX)
  const { width, height } = boxOf({ x: 0, y: 0, zoom }, picture, ratio)
  return {
    x: clamp(orElse(crop.x, 0.5), width / 2, 1 - width / 2),
    y: clamp(orElse(crop.y, 0.5), height / 2, 1 - height / 2),
    zoom,
  }
}
