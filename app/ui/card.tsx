import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

type CardProps = { title?: string; icon?: IconName; action?: ReactNode; children: ReactNode }

/** A piece of a page on a raised ground, with a heading of its own. */
export function Card({ title, icon, action, children }: CardProps) {
  return (
    <section className="card stack">
      {title ? (
        <header className="row spread">
          <h2 className="card-title">
            {icon ? <Icon name={icon} /> : null}
            {title}
          </h2>
          {action}
        </header>
      ) : null}
      {children}
    </section>
  )
}

/** What an empty list says, and its one useful action. */
export function EmptyState({ icon, title, action, children }: CardProps & { icon: IconName; title: string }) {
  return (
    <div className="empty">
      <span className="cell-icon">
        <Icon name={icon} size="l" />
      </span>
      <p className="empty-title">{title}</p>
      <div className="soft">{children}</div>
      {action}
    </div>
  )
}
