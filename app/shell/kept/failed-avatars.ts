/** The portraits of members, but not pictures, which show by themselves that they did not come. */
const isAvatar = (target: EventTarget | null): target is HTMLImageElement =>
  target instanceof HTMLImageElement && target.closest('.avatar') !== null

/** Still there, so that the browser asks for it again. */
const show = (image: HTMLImageElement, isThere: boolean) => {
  image.style.visibility = isThere ? '' : 'hidden'
}

/** Set anew, also to what it was, it is fetched anew. */
const askAgain = (image: HTMLImageElement) => {
  const { srcset } = image
  image.srcset = srcset
}

const FIRST_MS = 2_000
const LONGEST_MS = 60_000

/**
 * Hides portraits that do not come: browsers draw a torn page in their place. They are asked for again ever later, and at once
 * when the network is back. Returns what ends it.
 */
export function hideFailedAvatars(): () => void {
  let waitMs = FIRST_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const all = () => document.querySelectorAll<HTMLImageElement>('.avatar img')
  const again = () => {
    clearTimeout(timer)
    timer = undefined
    for (const image of all()) if (image.style.visibility) askAgain(image)
  }
  const fail = (image: HTMLImageElement) => {
    show(image, false)
    if (timer !== undefined) return
    timer = setTimeout(again, waitMs)
    waitMs = Math.min(2 * waitMs, LONGEST_MS)
  }
  const turn = ({ target, type }: Event) => {
    if (!isAvatar(target)) return
    if (type === 'error') return fail(target)
    waitMs = FIRST_MS
    show(target, true)
  }
  // Of one that failed before the script ran no event comes.
  for (const image of all()) if (image.complete && image.currentSrc && image.naturalWidth === 0) fail(image)
  // Of an image these events do not bubble.
  document.addEventListener('error', turn, true)
  document.addEventListener('load', turn, true)
  window.addEventListener('online', again)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('error', turn, true)
    document.removeEventListener('load', turn, true)
    window.removeEventListener('online', again)
  }
}
