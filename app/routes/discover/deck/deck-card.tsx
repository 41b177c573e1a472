import { Link } from '@remix-run/react'
import { type MouseEvent, useState } from 'react'
import { Chip } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/picture/icon.tsx'
import { Photo } from '../../../ui/picture/photo.tsx'
import { vibeLabel } from '../../../words/profile-labels.ts'
import type { DealtCard } from './dealt-card.ts'
import type { Side } from './deck-queue.ts'
import { PhotoSteps } from './photo-steps.tsx'
import { useGestures } from './use-gestures.ts'
import { profileOf } from './use-more.ts'
import './deck-card.css'

/** Interests that a card has room for; the sheet has them all. */
const INTERESTS = 3
/** Cards behind are a promise, not content. */
const HIDDEN = { 'aria-hidden': true, inert: '' }

type DeckCardProps = {
  card: DealtCard
  /** The one on top can be dragged; the next one comes forward meanwhile. */
  place: 'top' | 'next' | 'behind' | 'leaving'
  leaving?: Side | undefined
  onDecide: (side: Side) => void
  onMore: () => void
}

/** One person of the deck: a large picture with a few facts at its foot (spec 1 §2). */
export function DeckCard({ card, place, leaving, onDecide, onMore }: DeckCardProps) {
  const [shown, setShown] = useState(0)
  const top = place === 'top'
  const { photos } = card
  const photo = photos[Math.min(shown, photos.length - 1)]
  const step = (by: number) => setShown((now) => Math.max(0, Math.min(photos.length - 1, now + by)))
  const gestures = useGestures(top, { onDecide, onTap: (half) => step(half === 'left' ? -1 : 1) })
  return (
    <article
      className="deck-card"
      aria-labelledby={`name-${card.id}`}
      {...(top ? {} : HIDDEN)}
      data-next={place === 'next' || undefined}
      data-leaving={leaving}
      {...gestures}
    >
      <Photo
        src={photo?.url ?? null}
        alt={photo ? `Photo ${shown + 1} of ${card.firstName}${photo.blurred ? ', blurred until you match' : ''}` : ''}
        width={648}
        height={810}
        fit="cover"
        priority={top}
      />
      <span className="deck-tint" aria-hidden="true" />
      <span className="deck-stamp deck-stamp-skip" aria-hidden="true" />
      <span className="deck-stamp deck-stamp-buzz" aria-hidden="true" />
      {top && photos.length > 1 ? <PhotoSteps count={photos.length} shown={shown} onStep={step} /> : null}
      <CardFoot card={card} onMore={onMore} />
    </article>
  )
}

function CardFoot({ card, onMore }: { card: DealtCard; onMore: () => void }) {
  const vibe = vibeLabel(card.vibe)
  /** With a key the browser opens it, in a tab of its own. */
  function open(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onMore()
  }
  return (
    <div className="deck-foot">
      <h2 id={`name-${card.id}`} className="deck-name">
        <span className="truncate">{card.firstName}</span>
        {card.age === undefined ? null : <span className="tabular"> {card.age}</span>}
        {card.verified ? <Icon name="badge-check" label="Verified" /> : null}
      </h2>
      <p className="deck-facts truncate">
        {card.distanceBand ? (
          <>
            <Icon name="map-pin" size="s" /> {card.distanceBand}
          </>
        ) : null}
        {card.distanceBand && vibe ? ' · ' : null}
        {vibe}
      </p>
      <p className="deck-interests">
        {card.interests.slice(0, INTERESTS).map(({ name, shared }) => (
          <Chip key={name} tone={shared ? 'shared' : 'plain'}>
            {name}
          </Chip>
        ))}
      </p>
      <Link className="deck-more" to={profileOf(card.id)} discover="none" draggable={false} onClick={open}>
        More<span className="visually-hidden"> about {card.firstName}</span>
        <Icon name="chevron-up" size="s" />
      </Link>
    </div>
  )
}
