import sharp from 'sharp'
import { createChance } from '../random.ts'
import { GRAIN } from './svg.ts'

const SIDE = 256
/** Enough to stay in a picture that is encoded with loss, too little to be seen. */
const STRENGTH = 15

let pattern: Promise<string> | undefined

/** The grain of all pictures, as a pattern of an SVG. */
export function grain(): Promise<string> {
  pattern ??= makeTile().then((tile) => {
    const image = `<image width="${SIDE}" height="${SIDE}" href="data:image/png;base64,${tile.toString('base64')}"/>`
    return `<pattern id="${GRAIN}" width="${SIDE}" height="${SIDE}" patternUnits="userSpaceOnUse">${image}</pattern>`
  })
  return pattern
}

/** Black and white, each mostly clear. */
function makeTile(): Promise<Buffer> {
  const chance = createChance(1)
  const pixels = Buffer.alloc(SIDE * SIDE * 4)
  for (let at = 0; at < pixels.length; at += 4) {
    const value = chance.next() + chance.next() - 1
    pixels.fill(value < 0 ? 0 : 255, at, at + 3)
    pixels[at + 3] = Math.round(Math.abs(value) * STRENGTH)
  }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png()
    .toBuffer()
}
