import { Link, useSearchParams } from '@remix-run/react'
import type { MediaView, Photo } from '../../../projections/view/present.ts'
import { Icon } from '../picture/icon.tsx'
import { Picture } from '../picture/picture.tsx'
import { labelOf } from './media-label.ts'
import { Viewer } from './viewer.tsx'
import './media-grid.css'

/** `without` is the address of one that the page shows elsewhere: the others keep their numbers. */
type GridProps = { name: string; without?: string | undefined }

/** Three beside each other on a phone. */
const TILE_WIDTH = '(min-width: 768px) 13rem, 33vw'

/** Everybody's gallery: each picture opens by an address, so that it works without script. */
export function MediaGrid({ media, without, name }: GridProps & { media: readonly MediaView[] }) {
  return (
    <ul className="person-grid" aria-label={`Photos and videos of ${name}`}>
      {media.map((item, at) =>
        item.url === without ? null : (
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
        ),
      )}
    </ul>
  )
}

/** The viewer, where the address names one of them. */
export function OpenMedia({ media, name }: { media: readonly MediaView[]; name: string }) {
  const [params] = useSearchParams()
  const open = media.findIndex((item) => item.id === params.get('media'))
  return open < 0 ? null : <Viewer media={media} at={open} name={name} />
}

/** A browser draws the picture that a video has there. */
const STILL_AT_SECONDS = 0.1

export function Tile({ item }: { item: Pick<MediaView, 'type' | 'url'> }) {
  if (item.type === 'image')
    return <Picture src={item.url} alt="" width={324} height={405} sizes={TILE_WIDTH} fit="cover" />
  return (
    <span className="picture picture-cover person-film">
      <video
        src={`${item.url}#t=${STILL_AT_SECONDS}`}
        width={324}
        height={405}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
      />
      <span className="person-video" aria-hidden="true">
        <Icon name="play" />
      </span>
    </span>
  )
}

/** What strangers get: a few pictures, most of them blurred, with nothing behind them. */
export function BlurredRow({ photos, without, name }: GridProps & { photos: readonly Photo[] }) {
  if (photos.length === 0) return null
  return (
    <ul className="person-grid" aria-label={`Photos of ${name}`}>
      {photos.map(({ url, blurred }, at) =>
        url === without ? null : (
          <li key={url} className="person-tile">
            <Picture
              src={url}
              alt={`Photo ${at + 1} of ${name}${blurred ? ', blurred until you match' : ''}`}
              width={324}
              height={405}
              sizes={TILE_WIDTH}
              fit="cover"
            />
          </li>
        ),
      )}
    </ul>
  )
}
