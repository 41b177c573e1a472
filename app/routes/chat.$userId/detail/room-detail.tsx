import { LinkButton } from '../../../ui/button.tsx'
import { About } from '../../../ui/panes/about.tsx'
import { Pane } from '../../../ui/panes/panes.tsx'
import { Avatar } from '../../../ui/picture/avatar.tsx'
import { Picture } from '../../../ui/picture/picture.tsx'
import type { AboutMatch } from './about-match.ts'
import './room-detail.css'

type RoomDetailProps = { other: { id: string; firstName: string; avatar: string | null }; about: AboutMatch }

/** Who the other is, beside the room of a wide window: what a look at the profile would show first. */
export function RoomDetail({ other: { id, firstName, avatar }, about }: RoomDetailProps) {
  return (
    <Pane place="detail" label={`About ${firstName}`} className="room-detail">
      <div className="room-portrait">
        {avatar ? (
          <Picture src={avatar} alt={firstName} width={648} height={810} sizes="20rem" fit="cover" />
        ) : (
          <Avatar name={firstName} size="xl" />
        )}
      </div>
      <h2 className="pane-title">
        <bdi>{firstName}</bdi>
        {about.age === undefined ? null : <span className="tabular"> {about.age}</span>}
      </h2>
      <About person={about} />
      <LinkButton to={`/viewProfile/${id}`} wide>
        Open the profile
      </LinkButton>
    </Pane>
  )
}
