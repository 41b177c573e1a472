import { Link } from '@remix-run/react'
import { useState } from 'react'
import { LOOKING_FOR_LABELS, PRIVATE_VIBE_LABELS } from '../../../domain/profile/choices.ts'
import { Chip } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { Picture } from '../../ui/picture/picture.tsx'
import type { DealtCard } from './dealt-card.ts'
import { type Side, useDrag } from './use-drag.ts'
import './deck-card.css'

const VIBES: Readonly<Record<string, string>> = { ...LOOKING_FOR_LABELS, ...PRIVATE_VIBE_LABELS }
/** Cards behind are a promise, not content. */
const HIDDEN = { 'aria-hidden': true, inert: '' }

type DeckCardProps = {
  card: DealtCard
  /** The one on top, which can be dragged. */
  top: boolean
  leaving?: Side | undefined
  onDecide: (side: Side) => void
}

/** One person of the deck: a large picture with the facts at its foot (spec 1 §2). */
export function DeckCard({ card, top, leaving, onDecide }: DeckCardProps) {
  const [shown, setShown] = useState(0)
  const drag = useDrag(onDecide, top)
  const photo = card.photos[Math.min(shown, card.photos.length - 1)]
  const step = (by: number) => setShown((now) => Math.max(0, Math.min(card.photos.length - 1, now + by)))
  return (
    <article
      className="deck-card"
      aria-labelledby={`name-${card.id}`}
      {...(top ? {} : HIDDEN)}
      data-leaving={leaving}
      {...drag}
    >
      <Picture
        src={photo?.url ?? null}
        alt={photo ? `Photo ${shown + 1} of ${card.firstName}${photo.blurred ? ', blurred until you match' : ''}` : ''}
        width={648}
        height={810}
        sizes="(min-width: 576px) 34rem, 100vw"
        fit="cover"
        priority={top}
      />
      {top && card.photos.length > 1 ? <PhotoSteps count={card.photos.length} shown={shown} onStep={step} /> : null}
      <span className="deck-tint" aria-hidden="true" />
      <CardFoot card={card} />
    </article>
  )
}

function PhotoSteps({ count, shown, onStep }: { count: number; shown: number; onStep: (by: number) => void }) {
  return (
    <div className="photo-steps">
      <span className="photo-dots" aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the dots are their positions
          <span key={i} data-on={i === shown || undefined} />
        ))}
      </span>
      <IconButton icon="chevron-left" label="Previous photo" disabled={shown === 0} onClick={() => onStep(-1)} />
      <IconButton icon="chevron-right" label="Next photo" disabled={shown === count - 1} onClick={() => onStep(1)} />
    </div>
  )
}

function CardFoot({ card }: { card: DealtCard }) {
  return (
    <div className="deck-foot">
      <h2 id={`name-${card.id}`} className="deck-name">
        <span className="truncate">{card.firstName}</span>
        {card.age === undefined ? null : <span className="tabular"> {card.age}</span>}
        {card.verified ? <Icon name="badge-check" label="Verified" /> : null}
      </h2>
      <p className="deck-facts">
        {card.distanceBand ? (
          <span>
            <Icon name="map-pin" size="s" /> {card.distanceBand}
          </span>
        ) : null}
        {card.vibe && VIBES[card.vibe] ? <span>{VIBES[card.vibe]}</span> : null}
      </p>
      {card.bio ? <p className="deck-bio">{card.bio}</p> : null}
      <div className="deck-chips">
        <p className="deck-interests">
          {card.interests.map(({ name, shared }) => (
            <Chip key={name} tone={shared ? 'shared' : 'plain'}>
              {name}
            </Chip>
          ))}
        </p>
        <Link className="deck-more" to={`/view/${card.id}`} state={{ previewFromDiscover: true }}>
          More<span className="visually-hidden"> about {card.firstName}</span>
        </Link>
      </div>
    </div>
  )
}
