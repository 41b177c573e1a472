import { Picture } from '../../../ui/picture/picture.tsx'
import { CardFoot } from './card-foot.tsx'
import type { DealtCard } from './dealt-card.ts'
import type { Side } from './deck-queue.ts'
import { PhotoSteps } from './photo-steps.tsx'
import './deck-card.css'

/** Cards behind are a promise, not content. */
const HIDDEN = { 'aria-hidden': true, inert: '' }

type DeckCardProps = {
  card: DealtCard
  /** The one on top can be dragged; the next one comes forward meanwhile. */
  place: 'top' | 'next' | 'behind' | 'leaving'
  leaving?: Side | undefined
  /** Which of the photos is shown. */
  shown: number
  onStep: (by: number) => void
  onMore: () => void
}

/** One person of the deck: a large picture with a few facts at its foot (spec 1 §2). */
export function DeckCard({ card, place, leaving, shown, onStep, onMore }: DeckCardProps) {
  const top = place === 'top'
  const { photos } = card
  const photo = photos[Math.min(shown, photos.length - 1)]
  return (
    <article
      className="deck-card"
      aria-labelledby={`name-${card.id}`}
      {...(top ? {} : HIDDEN)}
      data-next={place === 'next' || undefined}
      data-leaving={leaving}
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
      {top ? <Stamps /> : null}
      {top && photos.length > 1 ? <PhotoSteps count={photos.length} shown={shown} onStep={onStep} /> : null}
      <CardFoot card={card} onMore={onMore} />
    </article>
  )
}

/** What shows the decision that a drag comes to. */
const Stamps = () => (
  <>
    <span className="deck-tint" aria-hidden="true" />
    {['skip', 'buzz'].map((name) => (
      <span key={name} className={`deck-stamp deck-stamp-${name}`} aria-hidden="true">
        <span />
      </span>
    ))}
  </>
)
