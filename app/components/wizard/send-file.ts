import { smallerImage, smallerVideo, stillOf } from './downscale.ts'

/** An upload that the server keeps. */
export type SentFile = { id: string; url: string; kind: 'image' | 'video' | 'audio' }
export type SendOptions = {
  purpose: 'photo' | 'voice'
  /** From 0 to 1. */
  onProgress: (share: number) => void
  signal?: AbortSignal
}

const UPLOAD_PATH = '/media-upload'
/** The call's words for any failure; the spec has better ones for the screen (spec 1 §8). */
const GENERAL = 'Upload failed.'
export const UPLOAD_TEXTS = {
  photo: 'Photo upload failed. Please try again.',
  voice: 'Voice upload failed.',
} as const

/** The form to send for a file: made smaller where the browser can, a video with a still of its start. */
async function prepared(file: File, purpose: SendOptions['purpose']): Promise<FormData> {
  const form = new FormData()
  form.set('purpose', purpose)
  if (purpose === 'photo' && file.type.startsWith('image/')) form.set('file', await smallerImage(file), file.name)
  else if (purpose === 'photo' && file.type.startsWith('video/')) {
    form.set('file', await smallerVideo(file), file.name)
    const still = await stillOf(file)
    if (still) form.set('still', still, 'still.webp')
  } else form.set('file', file, file.name)
  return form
}

/** Sends one file with its progress. Fails with the words to show. */
export async function sendFile(file: File, { purpose, onProgress, signal }: SendOptions): Promise<SentFile> {
  const body = await prepared(file, purpose)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (text?: string) => reject(new Error(text ?? UPLOAD_TEXTS[purpose]))
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => fail()
    request.onabort = () => fail()
    request.onload = () => {
      const answer = request.response as (SentFile & { ok: boolean; error?: string }) | null
      if (request.status === 200 && answer?.ok) resolve(answer)
      else fail(answer?.error === GENERAL ? undefined : answer?.error)
    }
    signal?.addEventListener('abort', () => request.abort())
    request.open('POST', UPLOAD_PATH)
    request.send(body)
  })
}
