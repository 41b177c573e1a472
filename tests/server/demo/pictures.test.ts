import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { INTERESTS } from '../../../domain/profile/choices.ts'
import { outingOf, thingsOf } from '../../../server/demo/drawing/choice.ts'
import { fileOf, sit } from '../../../server/demo/drawing/pictures.ts'
import { PICTURE, wash } from '../../../server/demo/drawing/svg.ts'
import { galleryOf } from '../../../server/demo/gallery.ts'
import { makePersona } from '../../../server/demo/people.ts'
import { createChance } from '../../../server/demo/random.ts'
import { DRAWING } from '../../../services/media/kinds.ts'
import { processImage } from '../../../services/media/parse/images.ts'

const STRIP = 40
const BEA = { firstName: 'Bea', gender: 'Female', age: 30, heritage: 'anywhere' } as const

test('a gradient has no bands, also when the upload has encoded it', async () => {
  const kept = await upload(await fileOf(wash('sky', ['#2b2f5c', '#463a6d', '#6a4a7c'])))
  const area = { left: 500, top: 0, width: STRIP, height: PICTURE.height }
  const { data } = await sharp(kept).extract(area).raw().toBuffer({ resolveWithObject: true })
  expect(longestBand(data)).toBeLessThanOrEqual(4)
})

test('the same without its grain has bands that one sees', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350">${wash('sky', ['#2b2f5c', '#463a6d', '#6a4a7c'])}</svg>`
  const kept = await upload(Buffer.from(svg))
  const area = { left: 500, top: 0, width: STRIP, height: PICTURE.height }
  const { data } = await sharp(kept).extract(area).raw().toBuffer({ resolveWithObject: true })
  expect(longestBand(data)).toBeGreaterThan(8)
})

test.each(['portrait', 'outing', 'thing'] as const)('a made %s is small once it is uploaded', async (what) => {
  const sitting = sit(3, { ...BEA, interests: ['Pets'] })
  const kept = await upload(await fileOf(what === 'thing' ? sitting.thing(0) : sitting[what]()))
  expect(await sharp(kept).metadata()).toMatchObject({ ...PICTURE, hasAlpha: false })
  expect(kept.length).toBeLessThan(150 * 1024)
})

test('whoever comes late has pictures as wide as a card, the first ones larger', async () => {
  const chance = () => createChance(5)
  const persona = makePersona(chance(), new Date())
  const sizes = async (more: boolean) => {
    const images = galleryOf(chance(), persona, more).filter(({ kind }) => kind === 'image')
    return Promise.all(images.map(async ({ file }) => (await sharp(await upload(await file())).metadata()).width))
  }
  expect(new Set(await sizes(false))).toEqual(new Set([720]))
  expect(new Set(await sizes(true))).toEqual(new Set([PICTURE.width]))
})

test('no two pictures of somebody show the same thing', () => {
  for (let seed = 0; seed < 40; seed++) {
    const { thing } = sit(seed, { ...BEA, interests: ['Photography', 'Nature', 'Hiking'] })
    expect(new Set([thing(0), thing(1), thing(2)]).size).toBe(3)
  }
  const day = outingOf(createChance(2), ['Hiking'])
  expect(thingsOf(createChance(3), ['Hiking'], day)).not.toContain(day.behind)
})

test('a day out goes where the interests lead, mostly', () => {
  const days = (interest: (typeof INTERESTS)[number]) =>
    Array.from({ length: 100 }, (_, seed) => outingOf(createChance(seed), [interest]))
  const [beach] = mostOften(days('Beach'))
  const [dog] = mostOften(days('Pets'))
  expect(beach).not.toBe(dog)
  expect(days('Beach').filter((day) => day === beach).length).toBeGreaterThan(60)
  expect(days('Pets').filter((day) => day === dog).length).toBeGreaterThan(60)
  expect(new Set(days('Karaoke')).size).toBeGreaterThan(6)
})

async function upload(file: Buffer): Promise<Buffer> {
  return (await processImage(file, DRAWING, 'photo')).content
}

/** How many rows in a row are the same. */
function longestBand(pixels: Buffer): number {
  const row = STRIP * 3
  let [run, longest] = [0, 0]
  for (let at = row; at < pixels.length; at += row) {
    run = pixels.compare(pixels, at - row, at, at, at + row) === 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

function mostOften<T>(items: readonly T[]): T[] {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([item]) => item)
}
