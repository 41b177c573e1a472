import { classes } from '../classes.ts'
import { Icon } from './icon.tsx'
import './photo.css'

export type PhotoProps = {
  src: string | null
  /** What it shows; empty where words beside it describe it. */
  alt: string
  /** The picture's own size: keeps its place before it is there. */
  width: number
  height: number
  /** A tiny blurred picture as a data URI, made by the server. */
  placeholder?: string | null
  /** `cover` fills the box its parent gives it. */
  fit?: 'ratio' | 'cover'
  /** The largest picture of the page: fetched first. */
  priority?: boolean
  className?: string
}

/** A picture that never moves the page. Without a source it is an empty cell. */
export function Photo({
  src,
  alt,
  width,
  height,
  placeholder,
  fit = 'ratio',
  priority = false,
  className,
}: PhotoProps) {
  const box = { width, height }
  return (
    <span className={classes('photo', `photo-${fit}`, className)}>
      {placeholder ? <img className="photo-blur" src={placeholder} alt="" aria-hidden="true" {...box} /> : null}
      {src ? (
        <img
          className="photo-image"
          src={src}
          alt={alt}
          {...box}
          decoding="async"
          loading={priority ? 'eager' : 'lazy'}
          {...(priority && { fetchpriority: 'high' })}
        />
      ) : (
        <span className="photo-none">
          <Icon name="image" size="l" {...(alt && { label: alt })} />
        </span>
      )}
    </span>
  )
}
