import { useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { sourcesOf } from './sources.ts'
import './picture.css'

export type PictureProps = {
  src: string | null
  /** What it shows; empty where words beside it describe it. */
  alt: string
  /** The ratio of its box: keeps its place before it is there. */
  width: number
  height: number
  /** How wide it is shown, as the attribute of an `img`: its browser chooses the file by it. */
  sizes?: string
  /** `cover` fills the box its parent gives it, and keeps the upper third in it, where faces are. */
  fit?: 'ratio' | 'cover'
  /** The largest picture of the page: fetched first. */
  priority?: boolean
}

/** A picture that never moves the page. Without a source it is an empty cell, and so it is while its source fails. */
export function Picture({ src, alt, width, height, sizes = '100vw', fit = 'ratio', priority = false }: PictureProps) {
  const { image, isFailed, fail } = useFailed(src)
  const box = { width, height }
  return (
    <span className={`picture picture-${fit}`}>
      {src && !isFailed ? (
        <img
          ref={image}
          onError={fail}
          className="picture-image"
          alt={alt}
          {...box}
          decoding="async"
          loading={priority ? 'eager' : 'lazy'}
          {...(priority && { fetchpriority: 'high' })}
          {...sourcesOf(src, sizes)}
        />
      ) : (
        <span className="picture-none">
          <Icon name="image" size="l" {...(alt && { label: alt })} />
        </span>
      )}
    </span>
  )
}

/** Whether this source did not come; it is asked for again once the network is back. */
function useFailed(src: string | null) {
  const image = useRef<HTMLImageElement>(null)
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    // Of one that failed before the script ran no event comes.
    if (image.current?.complete && image.current.naturalWidth === 0) setFailed(src)
    const again = () => setFailed(null)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [src])
  return { image, isFailed: src === failed, fail: () => setFailed(src) }
}
