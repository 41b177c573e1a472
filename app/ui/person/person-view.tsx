import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { ProfileView } from '../../../projections/view/present.ts'
import { vibeLabel } from '../../words/vibe-label.ts'
import { CellIcon } from '../card.tsx'
import { Panes } from '../panes/panes.tsx'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import { Picture } from '../picture/picture.tsx'
import { ChipSection, Facts, Tastes, VoiceIntro } from './facts.tsx'
import { BlurredRow, MediaGrid, OpenMedia } from './media-grid.tsx'
import { labelOf } from './media-label.ts'
import './person-view.css'

type ViewProps = {
  user: ProfileView
  matched: boolean
  /** The viewer's own interests, which are marked. */
  mine?: readonly string[]
  /** `h2` on a page with a heading of its own. */
  heading?: 'h1' | 'h2'
  menu?: ReactNode
  /** What can be done, below the name. */
  children?: ReactNode
}

/** A member whose profile is open to the viewer, whoever that is. */
export function PersonView({ user, matched, mine = [], heading = 'h1', menu, children }: ViewProps) {
  return (
    <Panes as="article" className="person">
      <Portrait user={user} />
      <div className="stack stack-l person-words">
        <header className="stack">
          <div className="person-title">
            <PersonName user={user} heading={heading} />
            {menu}
          </div>
          {children}
        </header>
        {user.bio ? <p className="person-bio">{user.bio}</p> : null}
        <VoiceIntro src={user.voiceIntro} name={user.firstName} />
        <Facts user={user} />
        <ChipSection title="Interests" items={user.interests ?? []} mine={mine} />
        <ChipSection title="Hobbies" items={user.hobbies ?? []} />
        <Tastes favorites={user.favorites} />
      </div>
      <Pictures user={user} matched={matched} />
      <OpenMedia media={user.media ?? []} name={user.firstName} />
    </Panes>
  )
}

/** A member of whom strangers get a name and blurred pictures. */
export function LockedView({ user, heading = 'h1', menu, children }: Omit<ViewProps, 'matched' | 'mine'>) {
  return (
    <article className="column stack stack-l person-locked">
      <header className="person-title">
        <PersonName user={user} heading={heading} />
        {menu}
      </header>
      <BlurredRow photos={user.photos} name={user.firstName} />
      <section className="person-lock stack">
        <CellIcon name="lock" />
        <h2 className="person-lock-title">Profile locked</h2>
        <p className="soft">Photos and details open when you both buzz.</p>
        {children}
      </section>
    </article>
  )
}

function PersonName({ user, heading: Heading }: { user: ProfileView; heading: 'h1' | 'h2' }) {
  const vibe = vibeLabel(user.vibe)
  return (
    <div className="person-name">
      <Heading>
        <span>{[user.firstName, user.lastName].filter(Boolean).join(' ')}</span>
        {user.age === undefined ? null : <span className="tabular"> {user.age}</span>}
        {user.verified ? <Icon name="badge-check" label="Verified" /> : null}
      </Heading>
      <p className="person-line">
        {user.online ? (
          <span className="person-online">
            <span className="person-dot" aria-hidden="true" /> Online
          </span>
        ) : null}
        {user.city ? <span>{user.city}</span> : null}
        {user.distanceBand ? (
          <span>
            <Icon name="map-pin" size="s" /> {user.distanceBand}
          </span>
        ) : null}
        {vibe ? <span>{vibe}</span> : null}
      </p>
    </div>
  )
}

/** The one large picture: the avatar, else the first. */
const portraitOf = ({ photos, avatar }: ProfileView) => photos.find(({ url }) => url === avatar) ?? photos[0]

/** As wide as a phone, and a pane between the others on a desktop. */
const PORTRAIT_WIDTH = '(min-width: 1280px) 31rem, (min-width: 1024px) 26rem, (min-width: 768px) 44rem, 100vw'

/** The picture opens like those of the gallery where it is one of them; a letter where there is none. */
function Portrait({ user }: { user: ProfileView }) {
  const photo = portraitOf(user)
  if (!photo) {
    return (
      <div className="person-portrait person-portrait-none">
        <Avatar name={user.firstName} size="xl" />
      </div>
    )
  }
  const alt = `${user.firstName}${photo.blurred ? ', blurred until you match' : ''}`
  const picture = (
    <Picture src={photo.url} alt={alt} width={648} height={810} sizes={PORTRAIT_WIDTH} fit="cover" priority />
  )
  const media = user.media ?? []
  const at = media.findIndex(({ url }) => url === photo.url)
  const opens = media[at]
  return opens ? (
    <Link
      to={`?media=${opens.id}`}
      preventScrollReset
      className="person-portrait"
      aria-label={labelOf(opens, at, user.firstName)}
    >
      {picture}
    </Link>
  ) : (
    <div className="person-portrait">{picture}</div>
  )
}

/** The other pictures: the portrait is shown already. */
function Pictures({ user, matched }: { user: ProfileView; matched: boolean }) {
  const portrait = portraitOf(user)?.url
  const media = user.media ?? []
  const others = (media.length > 0 ? media : user.photos).filter(({ url }) => url !== portrait)
  const blurred = user.photos.some((photo) => photo.blurred)
  if (others.length === 0) return null
  return (
    <section className="stack person-pictures">
      <h2 className="person-heading">Photos</h2>
      {media.length > 0 ? (
        <MediaGrid media={media} without={portrait} name={user.firstName} />
      ) : (
        <BlurredRow photos={user.photos} without={portrait} name={user.firstName} />
      )}
      {blurred && !matched ? <p className="soft small">Photos open when you match.</p> : null}
    </section>
  )
}
