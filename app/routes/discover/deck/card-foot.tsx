import { Link } from '@remix-run/react'
import type { MouseEvent } from 'react'
import { Chip } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/picture/icon.tsx'
import { vibeLabel } from '../../../words/vibe-label.ts'
import { type DealtCard, profileOf } from './dealt-card.ts'
import './card-foot.css'

/** Interests that a card has room for; the sheet has them all. */
const INTERESTS = 3

/** The few words of a card, and the way to the rest. */
export function CardFoot({ card, onMore }: { card: DealtCard; onMore: () => void }) {
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
