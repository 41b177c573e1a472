import { Link, useNavigate } from '@remix-run/react'
import type { KeyboardEvent } from 'react'
import type { MediaView } from '../../../projections/view/present.ts'
import { classes } from '../classes.ts'
import { FullScreen, QUIETLY } from '../overlays/full-screen.tsx'
import { Icon } from '../picture/icon.tsx'
import { sized } from '../picture/sources.ts'
import { useHydrated } from '../use-hydrated.ts'
import { labelOf } from './media-label.ts'
import './viewer.css'

type ViewerProps = { media: readonly MediaView[]; at: number; name: string }

type StepProps = {
  media: readonly MediaView[]
  at: number
  by: -1 | 1
  icon: 'chevron-left' | 'chevron-right'
  label: string
}

/** At the end the link stays where script runs, so that it keeps the focus, and leads nowhere. */
function Step({ media, at, by, icon, label }: StepProps) {
  const hydrated = useHydrated()
  const next = media[at + by]
  if (!next && !hydrated) return <span className="viewer-no-step" />
  return (
    <Link
      to={`?media=${(next ?? media[at]!).id}`}
      className={classes('icon-button icon-button-raised', media.length === 1 && 'viewer-single')}
      aria-label={label}
      aria-disabled={!next || undefined}
      {...QUIETLY}
    >
      <Icon name={icon} />
    </Link>
  )
}

/** What opens it on the page: it has the focus once the viewer is gone, whatever opened that. */
const openerOf = (id: string) => document.querySelector<HTMLElement>(`main a[href$="?media=${id}"]:not(dialog a)`)

/** One picture or video, as large as the window; arrow keys lead to its neighbours, Escape back to the page. */
export function Viewer({ media, at, name }: ViewerProps) {
  const navigate = useNavigate()
  const item = media[at]!
  const step = (event: KeyboardEvent) => {
    const next = event.key === 'ArrowLeft' ? media[at - 1] : event.key === 'ArrowRight' ? media[at + 1] : undefined
    if (next) navigate(`?media=${next.id}`, QUIETLY)
  }
  return (
    <FullScreen
      className="viewer"
      label={labelOf(item, at, name)}
      closeTo="."
      openerOf={() => openerOf(item.id)}
      onKeyDown={step}
    >
      <div className="viewer-bar">
        <span className="tabular" role="status">
          {at + 1} of {media.length}
        </span>
        <Link to="." className="icon-button icon-button-raised" aria-label="Close" {...QUIETLY}>
          <Icon name="x" />
        </Link>
      </div>
      <div className="viewer-stage">
        {item.type === 'image' ? (
          <img key={item.id} src={sized(item.url, 1080)} alt={labelOf(item, at, name)} width={1080} height={1350} />
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: a member's own short video has no captions
          <video key={item.id} src={item.url} width={720} height={1280} controls playsInline />
        )}
      </div>
      <div className="viewer-bar">
        <Step media={media} at={at} by={-1} icon="chevron-left" label="Previous" />
        <p className="viewer-caption">{item.caption}</p>
        <Step media={media} at={at} by={1} icon="chevron-right" label="Next" />
      </div>
    </FullScreen>
  )
}
