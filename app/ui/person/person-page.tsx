import { Form, Link } from '@remix-run/react'
import { vibeLabel } from '../../words/vibe-label.ts'
import { Button, LinkButton } from '../button.tsx'
import { CellIcon, EmptyState } from '../card.tsx'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import { Picture } from '../picture/picture.tsx'
import { useRoomPath } from '../room-path.ts'
import { BuzzForm, Refused } from './buzz-form.tsx'
import { ChipSection, Facts, Tastes, VoiceIntro } from './facts.tsx'
import { BlurredRow, MediaGrid, OpenMedia } from './media-grid.tsx'
import { labelOf } from './media-label.ts'
import type { loadPerson } from './person.server.ts'
import { PersonMenu } from './person-menu.tsx'
import './person-page.css'

type Page = Awaited<ReturnType<typeof loadPerson>>
type Shown = Extract<Page['found'], { access: 'matched' | 'preview' | 'locked' }>
type PersonProps = { page: Page; found: Shown; error: string | null }

/** Another member at the level that access allows (spec 2 §2, ruling R1). */
export function PersonPage({ page, error }: { page: Page; error: string | null }) {
  const { found } = page
  if (found.access === 'blocked-by-me')
    return <Blocked id={found.user.id} firstName={found.user.firstName} commandId={page.commandIds.other} />
  return found.access === 'locked' ? (
    <Locked page={page} found={found} error={error} />
  ) : (
    <Person page={page} found={found} error={error} />
  )
}

function Blocked({ id, firstName, commandId }: { id: string; firstName: string; commandId: string }) {
  return (
    <div className="column">
      <h1 className="visually-hidden">{firstName}</h1>
      <EmptyState
        icon="ban"
        title={`You blocked ${firstName}`}
        action={
          <Form method="post" action={`/block/${id}`}>
            <input type="hidden" name="commandId" value={commandId} />
            <input type="hidden" name="back" value={`/viewProfile/${id}`} />
            <Button name="intent" value="unblock" tone="primary">
              Unblock
            </Button>
          </Form>
        }
      >
        <p>Neither of you sees the other. Unblocking does not bring back a match.</p>
      </EmptyState>
    </div>
  )
}

function buzzProps({ page, found }: PersonProps) {
  const { likedByMe, likedMe, user } = found
  return { to: user.id, firstName: user.firstName, likedByMe, likedMe, commandIds: page.commandIds }
}

function Locked({ page, found, error }: PersonProps) {
  const { user } = found
  return (
    <article className="column stack stack-l person-locked">
      <header className="person-title">
        <PersonName user={user} />
        <PersonMenu id={user.id} firstName={user.firstName} matched={false} />
      </header>
      <BlurredRow photos={user.photos} name={user.firstName} />
      <section className="person-lock stack">
        <CellIcon name="lock" />
        <h2 className="person-lock-title">Profile locked</h2>
        <p className="soft">Photos and details open when you both buzz.</p>
        {error ? <Refused error={error} /> : null}
        {found.unmatchedLately ? null : <BuzzForm {...buzzProps({ page, found, error })} label="Buzz to Unlock" />}
      </section>
    </article>
  )
}

function PersonName({ user }: { user: Shown['user'] }) {
  const vibe = vibeLabel(user.vibe)
  return (
    <div className="person-name">
      <h1>
        <span>{[user.firstName, user.lastName].filter(Boolean).join(' ')}</span>
        {user.age === undefined ? null : <span className="tabular"> {user.age}</span>}
        {user.verified ? <Icon name="badge-check" label="Verified" /> : null}
      </h1>
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
const portraitOf = ({ photos, avatar }: Shown['user']) => photos.find(({ url }) => url === avatar) ?? photos[0]

/** As wide as a phone, and a column beside the words elsewhere. */
const PORTRAIT_WIDTH = '(min-width: 900px) 26rem, (min-width: 768px) 44rem, 100vw'

/** The picture opens like those of the gallery where it is one of them; a letter where there is none. */
function Portrait({ user }: { user: Shown['user'] }) {
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

function Person({ page, found, error }: PersonProps) {
  const { user, matched } = found
  const room = useRoomPath(user.id)
  return (
    <article className="column column-wide person">
      <Portrait user={user} />
      <div className="stack stack-l person-words">
        <header className="stack">
          <div className="person-title">
            <PersonName user={user} />
            <PersonMenu id={user.id} firstName={user.firstName} matched={matched} />
          </div>
          {error ? <Refused error={error} /> : null}
          {matched ? (
            <LinkButton to={room} tone="primary" size="l" icon="message-circle">
              Chat
            </LinkButton>
          ) : found.unmatchedLately ? null : (
            <BuzzForm {...buzzProps({ page, found, error })} label={found.likedMe ? 'Buzz back' : 'Buzz'} />
          )}
        </header>
        {user.bio ? <p className="person-bio">{user.bio}</p> : null}
        <VoiceIntro src={user.voiceIntro} name={user.firstName} />
        <Facts user={user} />
        <ChipSection title="Interests" items={user.interests ?? []} mine={page.mine} />
        <ChipSection title="Hobbies" items={user.hobbies ?? []} />
        <Tastes favorites={user.favorites} />
      </div>
      <Pictures found={found} />
      <OpenMedia media={user.media ?? []} name={user.firstName} />
    </article>
  )
}

/** The other pictures: the portrait is shown already. */
function Pictures({ found: { user, matched } }: { found: Shown }) {
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
