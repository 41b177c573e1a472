import { lorelei, notionists, openPeeps } from '@dicebear/collection'
import { createAvatar, type Style } from '@dicebear/core'
import sharp from 'sharp'
import { createChance } from './random.ts'
import { PICTURE, scene } from './scenes.ts'

type Drawing = { readonly style: Style<object>; readonly options: object }
const FRIENDLY = ['calm', 'cheeky', 'cute', 'driven', 'eyesClosed', 'lovingGrin1', 'smile', 'smileBig', 'smileTeethGap']
const HAPPY = Array.from({ length: 18 }, (_, i) => `happy${String(i + 1).padStart(2, '0')}`)

/** Drawn people under CC0, nobody real; in a good mood, as one is on the first photo. */
function drawings(bearded: number): Drawing[] {
  const draw = (style: unknown, options: object): Drawing => ({ style: style as Style<object>, options })
  return [
    draw(openPeeps, { face: FRIENDLY, maskProbability: 0, facialHairProbability: bearded, accessoriesProbability: 15 }),
    draw(lorelei, { mouth: HAPPY, beardProbability: bearded, glassesProbability: 25, frecklesProbability: 20 }),
    draw(notionists, { beardProbability: bearded, glassesProbability: 20, gestureProbability: 15 }),
  ]
}

const GROUNDS = [
  ['#ffe7bf', '#f6b98f'],
  ['#e9e2f7', '#b9a7dc'],
  ['#dff0e6', '#9cc7ae'],
  ['#fde0dc', '#eda3a0'],
  ['#e2eef8', '#9dbfdc'],
  ['#fff1cf', '#e8c274'],
  ['#f0e4d8', '#cfae90'],
  ['#e3f1f0', '#8dbfbd'],
] as const
const { width: W, height: H } = PICTURE
/** Quick to make: the upload draws it anew anyway. */
const JPEG = { quality: 90, chromaSubsampling: '4:4:4' } as const

/** A drawn portrait on a soft ground, as JPEG; the same seed gives the same picture. `bearded` in per cent. */
export async function portrait(seed: number, bearded = 0): Promise<Buffer> {
  const chance = createChance(seed)
  const [light, deep] = chance.pick(GROUNDS)
  const { style, options } = chance.pick(drawings(bearded))
  const avatar = createAvatar(style, { ...options, seed: String(seed), backgroundColor: ['transparent'] }).toString()
  const side = W - 40
  const figure = avatar.replace('<svg ', `<svg x="20" y="${H - side}" width="${side}" height="${side}" `)
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}"><defs>
    <radialGradient id="ground" cx=".5" cy=".35" r=".9"><stop offset="0" stop-color="${light}"/>
    <stop offset="1" stop-color="${deep}"/></radialGradient></defs><rect width="${W}" height="${H}" fill="url(#ground)"/>
    <path d="${hexagon(W / 2, H * 0.46, W * 0.46)}" fill="#fff" opacity=".28"/>${figure}</svg>`
  return sharp(Buffer.from(picture)).jpeg(JPEG).toBuffer()
}

/** A made landscape as JPEG. */
export function landscape(seed: number): Promise<Buffer> {
  return sharp(Buffer.from(scene(createChance(seed))))
    .jpeg(JPEG)
    .toBuffer()
}

function hexagon(x: number, y: number, r: number): string {
  const corner = (i: number) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2
    return `${(x + r * Math.cos(angle)).toFixed(1)},${(y + r * Math.sin(angle)).toFixed(1)}`
  }
  return `M${[0, 1, 2, 3, 4, 5].map(corner).join('L')}Z`
}
