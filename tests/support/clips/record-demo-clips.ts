import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { grain } from '../../../server/demo/drawing/grain.ts'
import { type Moving, sea, train } from '../../../server/demo/drawing/moving.ts'
import { PICTURE } from '../../../server/demo/drawing/svg.ts'
import { launchBrowser } from '../browser.ts'

// Records the clips of the demo world anew, by the encoder of a browser: npx tsx tests/support/clips/record-demo-clips.ts

const FOLDER = resolve(import.meta.dirname, '../../../server/demo/clips')
const SIZE = { width: 720, height: 900 }
const FRAMES = 96
const FRAME_MS = 1000 / 24
const BITS_PER_SECOND = 600_000

async function picturesOf(moving: Moving): Promise<string[]> {
  const pictures: string[] = []
  for (let frame = 0; frame < FRAMES; frame++) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${viewOf(SIZE)}>${await grain()}${moving(frame / FRAMES)}</svg>`
    const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
    pictures.push(`data:image/jpeg;base64,${jpeg.toString('base64')}`)
  }
  return pictures
}

const viewOf = ({ width, height }: typeof SIZE) =>
  `width="${width}" height="${height}" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}"`

async function record(page: Page, pictures: string[]): Promise<Buffer> {
  const options = { pictures, ...SIZE, every: FRAME_MS, bits: BITS_PER_SECOND }
  const bytes = await page.evaluate(async ({ pictures, width, height, every, bits }) => {
    const images = await Promise.all(
      pictures.map(async (src) => {
        const image = Object.assign(new Image(), { src })
        await image.decode()
        return createImageBitmap(image)
      }),
    )
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const brush = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(1000 / every), {
      mimeType: 'video/webm;codecs=vp9',
      videoBitsPerSecond: bits,
    })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const whole = new Promise((done) => {
      recorder.onstop = done
    })
    recorder.start()
    const startedAt = performance.now()
    for (const [frame, image] of images.entries()) {
      brush.drawImage(image, 0, 0)
      await new Promise((done) => setTimeout(done, startedAt + (frame + 1) * every - performance.now()))
    }
    recorder.stop()
    await whole
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  }, options)
  return Buffer.from(bytes)
}

const browser = await launchBrowser()
const page = await browser.newPage()
for (const [name, moving] of Object.entries({ sea, train })) {
  const clip = await record(page, await picturesOf(moving))
  await writeFile(resolve(FOLDER, `${name}.webm`), clip)
  process.stdout.write(`${name}: ${Math.round(clip.length / 1024)} KiB\n`)
}
await browser.close()
