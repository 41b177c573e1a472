import { useRef } from 'react'
import type { FormReply } from '../../forms/reply.ts'
import { Button, LinkButton } from '../button.tsx'
import { Avatar } from '../picture/avatar.tsx'
import { fillIn, MatchComposer } from './match-composer.tsx'
import type { MatchView } from './match-view.ts'
import './match-scene.css'

type MatchSceneProps = {
  match: MatchView
  /** What a first message came back with. */
  reply?: FormReply | undefined
  /** Closes the overlay; none on a page of its own. */
  onClose?: () => void
}

/** The one big moment: two portraits come together in a hexagon, then there are openers, and a box to write in. */
export function MatchScene({ match, reply, onClose }: MatchSceneProps) {
  const { me, other, openers } = match
  const box = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="match-scene">
      <div className="match-pair" aria-hidden="true">
        <span className="match-cell" />
        <Avatar name={me.firstName} src={me.avatar} size="xl" />
        <Avatar name={other.firstName} src={other.avatar} size="xl" />
      </div>
      <div className="match-words">
        <h1 id="match-title" className="match-title">
          It's a match!
        </h1>
        <p className="lead">You and {other.firstName} buzzed each other.</p>
      </div>
      <ul className="match-openers" aria-label={`Ways to begin with ${other.firstName}`}>
        {openers.map((opener) => (
          <li key={opener}>
            <Opener text={opener} to={other.id} onPick={() => fillIn(box.current, opener, openers)} />
          </li>
        ))}
      </ul>
      <MatchComposer match={match} reply={reply} box={box} {...(onClose && { onSent: onClose })} />
      {onClose ? (
        <Button type="button" tone="quiet" onClick={onClose}>
          Keep looking
        </Button>
      ) : (
        <LinkButton to="/discover" tone="quiet">
          Keep looking
        </LinkButton>
      )}
    </div>
  )
}

/** Without script a link to the conversation with this sentence in its box. */
function Opener({ text, to, onPick }: { text: string; to: string; onPick: () => boolean }) {
  return (
    <a
      className="match-opener"
      href={`/chat/${to}?say=${encodeURIComponent(text)}`}
      onClick={(event) => onPick() && event.preventDefault()}
    >
      {text}
    </a>
  )
}
