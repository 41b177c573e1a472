import { Link, useSearchParams } from '@remix-run/react'
import { Menu, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { FROM_ROOM, matchesPath } from '../../ui/room-path.ts'
import './room-head.css'

type RoomHeadProps = {
  other: { id: string; firstName: string; avatar: string | null }
  online: boolean
  typing: boolean
  gone: boolean
}

/** Who the other is, whether they are here, and what else can be done. */
export function RoomHead({ other, online, typing, gone }: RoomHeadProps) {
  const [search] = useSearchParams()
  return (
    <header className="room-head">
      <Link
        to={matchesPath(search)}
        className="icon-button icon-button-plain room-back"
        aria-label="Back to your matches"
      >
        <Icon name="arrow-left" />
      </Link>
      <Avatar name={other.firstName} src={other.avatar} online={online} />
      <div className="room-who">
        <h1 className="truncate">
          {gone ? other.firstName : <Link to={`/viewProfile/${other.id}`}>{other.firstName}</Link>}
        </h1>
        <p className="soft small" role="status">
          {typing ? 'typing…' : online ? 'Online' : ''}
        </p>
      </div>
      <Menu label={`More about ${other.firstName}`}>
        {gone ? null : (
          <>
            <MenuLink to={`/viewProfile/${other.id}`} icon="user-round">
              View profile
            </MenuLink>
            <MenuLink to={`/unmatch/${other.id}?${FROM_ROOM}`} icon="unlink">
              Unmatch
            </MenuLink>
            <MenuLink to={`/block/${other.id}?${FROM_ROOM}`} icon="ban" tone="alarm">
              Block
            </MenuLink>
          </>
        )}
        <MenuLink to={`/report/${other.id}?${FROM_ROOM}`} icon="flag" tone="alarm">
          Report
        </MenuLink>
      </Menu>
    </header>
  )
}
