import { useEffect, useState } from 'react'
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
  const [isFailed, fail] = useFailed(src)
  const box = { width, height }
  return (
    <span className={`picture picture-${fit}`}>
      {src && !isFailed ? (
        <img
          ref={(image) => {
            // Of one that failed before the script ran no event comes.
            if (image?.complete && !image.naturalWidth) fail()
          }}
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

/** Whether this source did not come, and what notes that it did not; it is asked for again once the network is back. */
function useFailed(src: string | null): [boolean, () => void] {
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    const again = () => setFailed(null)
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
  return [src === failed, () => setFailed(src)]
}
