import { Link, useSearchParams } from '@remix-run/react'
import type { MediaView, Photo as Picture } from '../../../projections/view/present.ts'
import { Icon } from '../picture/icon.tsx'
import { Photo } from '../picture/photo.tsx'
import { labelOf } from './media-label.ts'
import { Viewer } from './viewer.tsx'
import './media-grid.css'

/** Everybody's gallery: each picture opens in a viewer that an address opens, so that it works without script. */
export function MediaGrid({ media, name }: { media: readonly MediaView[]; name: string }) {
  const [params] = useSearchParams()
  const open = media.findIndex((item) => item.id === params.get('media'))
  return (
    <>
      <ul className="person-grid" aria-label={`Photos and videos of ${name}`}>
        {media.map((item, at) => (
          <li key={item.id}>
            <Link
              to={`?media=${item.id}`}
              preventScrollReset
              className="person-tile"
              aria-label={labelOf(item, at, name)}
            >
              <Tile item={item} />
            </Link>
          </li>
        ))}
      </ul>
      {open >= 0 ? <Viewer media={media} at={open} name={name} /> : null}
    </>
  )
}

export function Tile({ item }: { item: Pick<MediaView, 'type' | 'url'> }) {
  if (item.type === 'image') return <Photo src={item.url} alt="" width={324} height={405} fit="cover" />
  return (
    <span className="photo photo-cover">
      <video src={item.url} width={324} height={405} muted playsInline preload="metadata" tabIndex={-1} />
      <span className="person-video" aria-hidden="true">
        <Icon name="play" />
      </span>
    </span>
  )
}

/** What strangers get: a few pictures, most of them blurred, with nothing behind them. */
export function BlurredRow({ photos, name }: { photos: readonly Picture[]; name: string }) {
  if (photos.length === 0) return null
  return (
    <ul className="person-grid" aria-label={`Photos of ${name}`}>
      {photos.map(({ url, blurred }, at) => (
        <li key={url} className="person-tile">
          <Photo
            src={url}
            alt={`Photo ${at + 1} of ${name}${blurred ? ', blurred until you match' : ''}`}
            width={324}
            height={405}
            fit="cover"
          />
        </li>
      ))}
    </ul>
  )
}
