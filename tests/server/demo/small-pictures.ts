import type { Product } from '../../../server/product.ts'

const SIZE = /width="\d+" height="\d+"/
const SMALL = 'width="160" height="200"'

/** Services that draw the demo world's pictures as small as stamps: for who joins and when, not for what they look like. */
export function drawnSmall<S extends Pick<Product['services'], 'media'>>(services: S): S {
  const { media } = services
  const upload: typeof media.upload = (one) => {
    const file = one.drawn && Buffer.isBuffer(one.file) ? Buffer.from(String(one.file).replace(SIZE, SMALL)) : one.file
    return media.upload({ ...one, file })
  }
  return { ...services, media: { ...media, upload } }
}
