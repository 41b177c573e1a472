import { Link } from '@remix-run/react'
import type { SocialStats } from '../../../projections/relations/queries.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { PersonList } from '../../ui/person/person-list.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import './social.css'

export const LISTS = ['liked', 'liked-you', 'matches'] as const
export type SocialList = (typeof LISTS)[number]
export type ListedMember = { id: string; name: string; avatar: string | null }
const LABELS: Record<SocialList, string> = { liked: 'Liked', 'liked-you': 'Liked You', matches: 'Matches' }

/** Three counts, each of which opens its list (spec 2 §2). */
export function SocialConnections({ stats }: { stats: SocialStats }) {
  const counts = { liked: stats.likedCount, 'liked-you': stats.likedYouCount, matches: stats.matchCount }
  return (
    <section className="stack stack-s" aria-labelledby="social">
      <h2 className="person-heading" id="social">
        Social Connections
      </h2>
      <ul className="social">
        {LISTS.map((list) => (
          <li key={list}>
            <Link to={`?show=${list}`} preventScrollReset className="social-card">
              <strong className="tabular">{counts[list]}</strong>
              <span>{LABELS[list]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type SocialDialogProps = { list: SocialList; people: readonly ListedMember[]; next: string | null; later: boolean }

export function SocialDialog({ list, people, next, later }: SocialDialogProps) {
  return (
    <Dialog title={LABELS[list]} closeTo="/profile">
      {people.length === 0 ? (
        <>
          <p className="soft">No users found here yet.</p>
          <LinkButton to="/discover" tone="primary" icon="compass" wide>
            Go to Discover
          </LinkButton>
        </>
      ) : (
        <PersonList id="people">
          {people.map(({ id, name, avatar }) => (
            <li key={id}>
              <Avatar name={name} src={avatar} />
              <span className="truncate">{name}</span>
              <LinkButton to={`/view/${id}`}>
                View<span className="visually-hidden"> {name}</span>
              </LinkButton>
            </li>
          ))}
        </PersonList>
      )}
      <MorePages list="people" next={next} later={later} />
    </Dialog>
  )
}
