import { Link } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import { RelativeTime } from '../relative-time.tsx'
import './post-card.css'

type PostCardProps = {
  author: { name: string; src: string | null; to: string }
  /** ISO. */
  at: string
  /** Who sees it. */
  audience?: { icon: IconName; label: string }
  /** What can be done with it: a Menu. */
  menu?: ReactNode
  /** A picture or a player, which fills the width of the card. */
  media?: ReactNode
  /** What the author wrote. */
  children?: ReactNode
  /** Reactions and comments. */
  foot?: ReactNode
}

/** The frame of a post: who, when and for whom, then what was posted, then what others make of it. */
export function PostCard({ author, at, audience, menu, media, children, foot }: PostCardProps) {
  const id = useId()
  return (
    <article className="post" aria-labelledby={id}>
      <header className="post-head">
        <Avatar name={author.name} src={author.src} />
        <div className="post-who">
          <h2 className="post-author" id={id}>
            <Link to={author.to}>{author.name}</Link>
          </h2>
          <p className="post-when">
            <RelativeTime at={at} />
            {audience ? (
              <span className="post-audience">
                <Icon name={audience.icon} size="s" />
                {audience.label}
              </span>
            ) : null}
          </p>
        </div>
        {menu}
      </header>
      {children ? <div className="post-words">{children}</div> : null}
      {media ? <div className="post-media">{media}</div> : null}
      {foot ? <footer className="post-foot">{foot}</footer> : null}
    </article>
  )
}
