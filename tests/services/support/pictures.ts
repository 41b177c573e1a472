import sharp, { type Sharp } from 'sharp'

/** A picture with something in it. */
export function picture(width = 300, height = 200, seed = 1): Sharp {
  const noise = { type: 'gaussian' as const, mean: 100 + seed, sigma: 40 }
  return sharp({ create: { width, height, channels: 3, background: '#884422', noise } })
}

export const jpeg = (width?: number, height?: number) => picture(width, height).jpeg().toBuffer()
