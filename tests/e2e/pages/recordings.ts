import type { Browser, Page } from 'playwright'
import { makeClip } from '../../services/support/clips.ts'

const FILM_MS = 1_200

/** Recorded once by each worker. */
let filmed: Promise<Buffer> | undefined

/** A second of moving colours, recorded by the browser itself. */
export async function film(chromium: Browser) {
  filmed ??= record(chromium)
  return { name: 'film.webm', mimeType: 'video/webm', buffer: await filmed }
}

async function record(chromium: Browser): Promise<Buffer> {
  const page = await chromium.newPage()
  const bytes = await page.evaluate(async (length) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 320, height: 400 })
    const brush = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const whole = new Promise((done) => {
      recorder.onstop = done
    })
    const startedAt = performance.now()
    const draw = (now: number) => {
      if (!brush) return
      brush.fillStyle = `hsl(${(now / 5) % 360} 70% 50%)`
      brush.fillRect(0, 0, 320, 400)
      if (now - startedAt < length) requestAnimationFrame(draw)
      else recorder.stop()
    }
    recorder.start()
    requestAnimationFrame(draw)
    await whole
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  }, FILM_MS)
  await page.close()
  return Buffer.from(bytes)
}

/** A voice by the microphone; without script by a file. */
export async function addVoice(page: Page, script: boolean): Promise<void> {
  if (script) {
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByRole('timer').getByText('1 / 60 s').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByLabel('Your voice intro').waitFor()
    return
  }
  const buffer = await makeClip({ format: 'ogg', seconds: 2 })
  await page.getByLabel('Choose a recording').setInputFiles({ name: 'voice.ogg', mimeType: 'audio/ogg', buffer })
}
