import { Link, useSearchParams } from '@remix-run/react'
import { roomPath } from '../../ui/room-path.ts'
import './openers.css'

type OpenersProps = { page: { other: { id: string; firstName: string }; openers: readonly string[] } }

/** An empty chat offers three ways to begin; each is a link, so it works without script. */
export function Openers({ page }: OpenersProps) {
  const [search] = useSearchParams()
  return (
    <div className="conversation-openers stack">
      <p className="empty-title">Say something to {page.other.firstName}</p>
      {page.openers.map((opener) => (
        <Link key={opener} className="opener" to={roomPath(page.other.id, search, ['say', opener])} replace>
          {opener}
        </Link>
      ))}
    </div>
  )
}
