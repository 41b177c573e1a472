/** spec 2 §9: what an upload is made to fit before it is sent. */
const IMAGE = { width: 1080, height: 1350, type: 'image/webp', quality: 0.8 } as const
const VIDEO_SIDE = 1280
const STILL = { width: 720, height: 720, quality: 0.7 } as const
const STILL_AT_SECONDS = 0.1

type Box = { width: number; height: number }

/** The size inside `box` with the same proportions; never larger than it is. */
export function fitInside(size: Box, box: Box): Box {
  const scale = Math.min(1, box.width / size.width, box.height / size.height)
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

async function drawn(source: CanvasImageSource, size: Box, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, size)
  canvas.getContext('2d')?.drawImage(source, 0, 0, size.width, size.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, IMAGE.type, quality))
  return blob?.type === IMAGE.type ? blob : null
}

/** A picture of that size, as it is sent. */
export const drawnAs = (source: CanvasImageSource, size: Box): Promise<Blob | null> =>
  drawn(source, size, IMAGE.quality)

/** The picture within 1080×1350 as WebP; the file as it is where the browser cannot. */
export async function smallerImage(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const blob = await drawn(bitmap, fitInside(bitmap, IMAGE), IMAGE.quality)
    bitmap.close()
    return blob ?? file
  } catch {
    return file
  }
}

/** The video within 1280 px; the file as it is where the browser cannot encode. */
export async function smallerVideo(file: File): Promise<Blob> {
  const opened = await openVideo(file)
  if (!opened) return file
  const size = { width: opened.videoWidth, height: opened.videoHeight }
  closeVideo(opened)
  if (Math.max(size.width, size.height) <= VIDEO_SIDE || !('VideoEncoder' in window)) return file
  try {
    return await transcoded(file, fitInside(size, { width: VIDEO_SIDE, height: VIDEO_SIDE }))
  } catch {
    return file
  }
}

async function transcoded(file: File, size: Box): Promise<Blob> {
  const { ALL_FORMATS, BlobSource, BufferTarget, Conversion, Input, Mp4OutputFormat, Output } = await import(
    'mediabunny'
  )
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input: new Input({ formats: ALL_FORMATS, source: new BlobSource(file) }),
    output: new Output({ format: new Mp4OutputFormat(), target }),
    video: { width: size.width - (size.width % 2), height: size.height - (size.height % 2), fit: 'fill' },
  })
  await conversion.execute()
  return target.buffer ? new Blob([target.buffer], { type: 'video/mp4' }) : file
}

/** A picture of the video's start, for those who may see no more of it (ruling R31). */
export async function stillOf(file: File): Promise<Blob | null> {
  const video = await openVideo(file)
  if (!video) return null
  try {
    await once(video, 'seeked', () => {
      video.currentTime = Math.min(STILL_AT_SECONDS, video.duration / 2)
    })
    return await drawn(video, fitInside({ width: video.videoWidth, height: video.videoHeight }, STILL), STILL.quality)
  } catch {
    return null
  } finally {
    closeVideo(video)
  }
}

async function openVideo(file: File): Promise<HTMLVideoElement | null> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto' })
  try {
    await once(video, 'loadeddata', () => {
      video.src = URL.createObjectURL(file)
    })
    return video
  } catch {
    closeVideo(video)
    return null
  }
}

/** Emptied before its address goes: a video still reads from it. */
function closeVideo(video: HTMLVideoElement): void {
  const { src } = video
  video.removeAttribute('src')
  video.load()
  URL.revokeObjectURL(src)
}

function once(video: HTMLVideoElement, event: string, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('The video cannot be read.')), { once: true })
    start()
  })
}
