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

/**
 * Hides portraits that do not come: browsers draw a torn page in their place. They are asked for again once the network is
 * back. Returns what ends it.
 */
export function hideFailedAvatars(): () => void {
  const turn = ({ target, type }: Event) => isAvatar(target) && show(target, type === 'load')
  const all = () => document.querySelectorAll<HTMLImageElement>('.avatar img')
  const again = () => {
    for (const image of all()) if (image.style.visibility) askAgain(image)
  }
  // Of one that failed before the script ran no event comes.
  for (const image of all()) if (image.complete && image.currentSrc && image.naturalWidth === 0) show(image, false)
  // Of an image these events do not bubble.
  document.addEventListener('error', turn, true)
  document.addEventListener('load', turn, true)
  window.addEventListener('online', again)
  return () => {
    document.removeEventListener('error', turn, true)
    document.removeEventListener('load', turn, true)
    window.removeEventListener('online', again)
  }
}
