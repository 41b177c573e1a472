import { FILE_TOO_LARGE } from '../../words/file-sizes.ts'
import { OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../../words/others-page.ts'
import { smallerImage, smallerVideo, stillOf } from './downscale.ts'

/** An upload that the server keeps. */
export type SentFile = { id: string; url: string; kind: 'image' | 'video' | 'audio' }
/** `error` is the server's message, `code` the reason; it may send neither. */
export type SendAnswer = (SentFile & { ok: true }) | { ok: false; error?: string; code?: string }
export type SendOptions = {
  purpose: 'photo' | 'avatar' | 'voice'
  /** Whose page it is (`app/shell/owner.tsx`). */
  as?: string | undefined
  /** From 0 to 1. */
  onProgress: (share: number) => void
  /** Takes it back; the answer is then a failure without words. */
  signal?: AbortSignal
}

const UPLOAD_PATH = '/media-upload'

/** The form to send for a file: made smaller where the browser can, a video with a still of its start. */
async function prepared(file: File, purpose: SendOptions['purpose']): Promise<FormData> {
  const form = new FormData()
  const isVisual = purpose !== 'voice'
  if (isVisual && file.type.startsWith('image/')) form.set('file', await smallerImage(file), file.name)
  else if (isVisual && file.type.startsWith('video/')) {
    form.set('file', await smallerVideo(file), file.name)
    const still = await stillOf(file)
    if (still) form.set('still', still, 'still.webp')
  } else form.set('file', file, file.name)
  return form
}

/** What is cut off before any route has seen it is answered in no form that script reads. */
const unreadable = (status: number): SendAnswer =>
  status === 413 ? { ok: false, error: FILE_TOO_LARGE, code: 'too-large' } : { ok: false }

/** For whatever reads the page anew (`app/shell/kept/others-page.tsx`), with the message. */
function reportOthers(answer: SendAnswer): void {
  if (!answer.ok && answer.code === OTHERS_PAGE)
    window.dispatchEvent(new CustomEvent(OTHERS_PAGE, { detail: answer.error ?? OTHERS_PAGE_WORDS }))
}

/** Sends one file with its progress. */
export async function sendFile(file: File, { purpose, as, onProgress, signal }: SendOptions): Promise<SendAnswer> {
  const body = await prepared(file, purpose)
  if (signal?.aborted) return { ok: false }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => resolve({ ok: false })
    request.onabort = () => resolve({ ok: false })
    signal?.addEventListener('abort', () => request.abort())
    request.onload = () => {
      const answer = (request.response as SendAnswer | null) ?? unreadable(request.status)
      reportOthers(answer)
      resolve(answer)
    }
    request.open('POST', `${UPLOAD_PATH}?${new URLSearchParams({ purpose, ...(as && { as }) })}`)
    request.send(body)
  })
}
