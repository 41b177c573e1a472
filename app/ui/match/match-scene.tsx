import { Button, LinkButton } from '../button.tsx'
import { Avatar } from '../picture/avatar.tsx'
import './match-scene.css'

export type MatchView = {
  me: { firstName: string; avatar: string | null }
  other: { id: string; firstName: string; avatar: string | null }
  opener: string
}

/** The one big moment: two portraits come together in a hexagon, then an opener is offered. */
export function MatchScene({ match, onClose }: { match: MatchView; onClose?: () => void }) {
  const { me, other, opener } = match
  return (
    <div className="match-scene">
      <div className="match-pair" aria-hidden="true">
        <span className="match-cell" />
        <Avatar name={me.firstName} src={me.avatar} size="xl" />
        <Avatar name={other.firstName} src={other.avatar} size="xl" />
      </div>
      <h1 id="match-title" className="match-title">
        It's a match!
      </h1>
      <p className="lead">You and {other.firstName} buzzed each other.</p>
      <p className="match-opener">{opener}</p>
      <div className="stack match-actions">
        <LinkButton
          to={`/chat/${other.id}?say=${encodeURIComponent(opener)}`}
          tone="petal"
          size="l"
          icon="message-circle"
          {...(onClose && { onClick: onClose })}
        >
          Say something
        </LinkButton>
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
    </div>
  )
}
