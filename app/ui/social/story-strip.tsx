import { Link } from '@remix-run/react'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import './story-strip.css'

export type Story = {
  to: string
  name: string
  src: string | null
  /** `create` is the member's own place, where a story is made. */
  state: 'new' | 'seen' | 'create'
}

const STATE = { new: 'new story', seen: 'story, seen' }

/** A portrait in a ring that shows whether there is something new, as a link to the story. */
export function StoryRing({ to, name, src, state }: Story) {
  const isMine = state === 'create'
  return (
    <Link
      to={to}
      className={`story story-${state}`}
      aria-label={isMine ? 'Create a story' : `${name}, ${STATE[state]}`}
    >
      <span className="story-ring">
        <Avatar name={name} src={src} size="l" />
        {isMine ? (
          <span className="story-plus">
            <Icon name="plus" size="s" />
          </span>
        ) : null}
      </span>
      <span className="story-name truncate" aria-hidden="true">
        {isMine ? 'Create' : name}
      </span>
    </Link>
  )
}

/** The stories of others in a row that scrolls sideways. */
export function StoryStrip({ label, stories }: { label: string; stories: readonly Story[] }) {
  return (
    <ul className="story-strip" aria-label={label}>
      {stories.map((story) => (
        <li key={story.to}>
          <StoryRing {...story} />
        </li>
      ))}
    </ul>
  )
}
