import type { MediaView } from '../../../projections/view/present.ts'

/** How a picture or video of a gallery is called, with its caption. */
export function labelOf({ type, caption }: MediaView, at: number, name: string): string {
  return `${type === 'video' ? 'Video' : 'Photo'} ${at + 1} of ${name}${caption ? `: ${caption}` : ''}`
}
