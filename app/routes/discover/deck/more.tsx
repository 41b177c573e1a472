import { Link } from '@remix-run/react'
import { Sheet } from '../../../ui/overlays/sheet.tsx'
import { About } from '../../../ui/panes/about.tsx'
import { Pane } from '../../../ui/panes/panes.tsx'
import { Picture } from '../../../ui/picture/picture.tsx'
import { sourcesOf } from '../../../ui/picture/sources.ts'
import { type DealtCard, profileOf } from './dealt-card.ts'

/** People after the one on top that the list has room for. */
const NEXT = 6
const FROM_DISCOVER = { previewFromDiscover: true }
const named = ({ firstName, age }: DealtCard) => (age === undefined ? firstName : `${firstName} ${age}`)

/** All that the deck knows of a person, on their card: words, facts and every photo. */
export function MoreSheet({ card, onClose }: { card: DealtCard; onClose: () => void }) {
  return (
    <Sheet title={named(card)} label={`More about ${card.firstName}`} onClose={onClose}>
      <AboutCard card={card} />
    </Sheet>
  )
}

/** Beside the deck of a wide window: who comes next, and the same about the person on top. */
export function Sides({ cards: [top, ...next] }: { cards: readonly DealtCard[] }) {
  if (!top) return null
  return (
    <>
      <Pane place="side" label="Next people" className="deck-pane">
        <h2 className="pane-title">Up next</h2>
        {next.length > 0 ? (
          <ol className="deck-next">
            {next.slice(0, NEXT).map((card) => (
              <NextPerson key={card.id} card={card} />
            ))}
          </ol>
        ) : (
          <p className="soft">{`Nobody else for now: ${top.firstName} is the last one.`}</p>
        )}
      </Pane>
      <Pane place="detail" label={`About ${top.firstName}`} className="deck-pane" key={top.id}>
        <h2 className="pane-title">{`About ${top.firstName}`}</h2>
        <AboutCard card={top} />
      </Pane>
    </>
  )
}

function NextPerson({ card }: { card: DealtCard }) {
  const photo = card.photos[0]
  return (
    <li>
      <Link className="deck-next-person" to={profileOf(card.id)} state={FROM_DISCOVER} discover="none">
        <span className="deck-next-photo">
          {photo ? <img alt="" width={64} height={80} loading="lazy" {...sourcesOf(photo.url, '4rem', 320)} /> : null}
        </span>
        <span className="deck-next-words">
          <strong className="truncate">{named(card)}</strong>
          <span className="truncate soft small">{card.distanceBand ?? card.interests[0]?.name}</span>
        </span>
      </Link>
    </li>
  )
}

function AboutCard({ card }: { card: DealtCard }) {
  const { firstName, photos } = card
  return (
    <>
      <About person={{ ...card, where: card.distanceBand }} />
      <div className="about-photos">
        {photos.map(({ url, blurred }, at) => (
          <Picture
            key={url}
            src={url}
            alt={`Photo ${at + 1} of ${firstName}${blurred ? ', blurred until you match' : ''}`}
            width={648}
            height={810}
            sizes="(min-width: 576px) 10rem, 45vw"
            fit="cover"
          />
        ))}
      </div>
      {photos.some(({ blurred }) => blurred) ? <p className="soft small">Photos open when you match.</p> : null}
      <Link className="button button-secondary" to={profileOf(card.id)} state={FROM_DISCOVER} discover="none">
        Open the profile
      </Link>
    </>
  )
}
