import { LinkButton } from '../../ui/button.tsx'
import { useRoomPath } from '../../ui/room-path.ts'
import { capped } from '../../words/capped.ts'
import './older-page.css'

/** Under an older page of a room: the way to the newest messages, and how many came that nobody sees here. */
export function OlderPage({ other, unread }: { other: { id: string }; unread: number }) {
  const newest = useRoomPath(other.id)
  return (
    <div className="older-page">
      <span role="status">
        {unread === 0 ? null : `${capped(unread)} new ${unread === 1 ? 'message' : 'messages'}`}
      </span>
      <LinkButton to={newest} icon="chevron-down">
        Newest messages
      </LinkButton>
    </div>
  )
}
