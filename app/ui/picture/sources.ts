import { PICTURE_SIDES } from '../../../domain/shared/media.ts'

/** Files of ours come in several sizes; a picture that the browser made has its own alone. */
const isOurs = (url: string): boolean => /^\/(register\/)?media\/[^?]+$/.test(url)

type Side = (typeof PICTURE_SIDES)[number]

/** Where a picture is at least this large, in pixels of its shorter side, or as large as it is. */
export const sized = (url: string, side: Side): string => (isOurs(url) ? `${url}?w=${side}` : url)

/**
 * What an `img` is given so that its browser takes the file for its own width and density. `sizes` is how wide the picture is
 * shown; `src` is for browsers that know none of it. `largest`: no larger file is ever asked for.
 */
export function sourcesOf(url: string, sizes: string, largest: Side = 1080) {
  if (!isOurs(url)) return { src: url }
  const sides = PICTURE_SIDES.filter((side) => side <= largest)
  // Before `src`, which a browser may begin to fetch as soon as it is set.
  return {
    sizes,
    srcSet: sides.map((side) => `${sized(url, side)} ${side}w`).join(', '),
    src: sized(url, largest === 1080 ? 720 : largest),
  }
}
