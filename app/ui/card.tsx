import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon } from './picture/icon.tsx'
import type { IconName } from './picture/icon-names.ts'
import './card.css'

type CardProps = { title?: string; icon?: IconName; action?: ReactNode; children: ReactNode }

/** A piece of a page on a raised ground, with a heading of its own. */
export function Card({ title, icon, action, children }: CardProps) {
  return (
    <section className="card stack">
      {title ? (
        <header className="row spread">
          <CardTitle icon={icon}>{title}</CardTitle>
          {action}
        </header>
      ) : null}
      {children}
    </section>
  )
}

type CardTitleProps = { id?: string; icon?: IconName | undefined; children: ReactNode }

/** The heading of a card that is laid out by hand. */
export function CardTitle({ id, icon, children }: CardTitleProps) {
  return (
    <h2 className="card-title" id={id}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </h2>
  )
}

/** A large icon in a cell of the comb. */
export function CellIcon({ name, className }: { name: IconName; className?: string }) {
  return (
    <span className={classes('cell-icon', className)}>
      <Icon name={name} size="l" />
    </span>
  )
}

/** The words of an empty list, and its one useful action. */
export function EmptyState({ icon, title, action, children }: CardProps & { icon: IconName; title: string }) {
  return (
    <div className="empty">
      <CellIcon name={icon} />
      <p className="empty-title">{title}</p>
      <div className="soft">{children}</div>
      {action}
    </div>
  )
}
