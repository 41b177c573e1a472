import { Link } from '@remix-run/react'
import { Chip } from '../../../ui/badge.tsx'
import { Sheet } from '../../../ui/overlays/sheet.tsx'
import { Icon } from '../../../ui/picture/icon.tsx'
import { Picture } from '../../../ui/picture/picture.tsx'
import { vibeLabel } from '../../../words/vibe-label.ts'
import { type DealtCard, profileOf } from './dealt-card.ts'
import './more-sheet.css'

/** All that the deck knows of a person, on their card: words, facts and every photo. */
export function MoreSheet({ card, onClose }: { card: DealtCard; onClose: () => void }) {
  const { firstName, age, photos } = card
  const vibe = vibeLabel(card.vibe)
  return (
    <Sheet
      title={age === undefined ? firstName : `${firstName} ${age}`}
      label={`More about ${firstName}`}
      onClose={onClose}
    >
      <ul className="more-facts">
        {card.distanceBand ? (
          <li>
            <Icon name="map-pin" size="s" /> {card.distanceBand}
          </li>
        ) : null}
        {vibe ? (
          <li>
            <Icon name="sparkles" size="s" /> {vibe}
          </li>
        ) : null}
        {card.verified ? (
          <li>
            <Icon name="badge-check" size="s" /> Verified
          </li>
        ) : null}
      </ul>
      {card.bio ? <p className="more-bio">{card.bio}</p> : null}
      {card.interests.length > 0 ? (
        <ul className="more-interests" aria-label="Interests">
          {card.interests.map(({ name, shared }) => (
            <li key={name}>
              <Chip tone={shared ? 'shared' : 'plain'}>{name}</Chip>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="more-photos">
        {photos.map(({ url, blurred }, at) => (
          <Picture
            key={url}
            src={url}
            alt={`Photo ${at + 1} of ${firstName}${blurred ? ', blurred until you match' : ''}`}
            width={648}
            height={810}
            sizes="(min-width: 576px) 10rem, 45vw"
          />
        ))}
      </div>
      {photos.some(({ blurred }) => blurred) ? <p className="soft small">Photos open when you match.</p> : null}
      <Link className="button button-secondary" to={profileOf(card.id)} state={{ previewFromDiscover: true }}>
        Open the profile
      </Link>
    </Sheet>
  )
}
