import { Link } from '@remix-run/react'
import { type DetailsHTMLAttributes, type MouseEventHandler, type ReactNode, useRef } from 'react'
import { useClosing } from './overlays/use-closing.ts'
import { Icon } from './picture/icon.tsx'
import type { IconName } from './picture/icon-names.ts'
import './menu.css'

type MenuProps = Pick<DetailsHTMLAttributes<HTMLDetailsElement>, 'onToggle' | 'onKeyDown' | 'tabIndex' | 'children'> & {
  label: string
  icon?: IconName
}

/** A `<details>` that opens a list: works without script; with it, Escape, a click elsewhere or a new page closes it. */
export function Menu({ label, icon = 'ellipsis', tabIndex, children, ...rest }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useClosing(details)
  return (
    <details className="menu" ref={details} {...rest}>
      <summary className="icon-button icon-button-plain" title={label} tabIndex={tabIndex}>
        <Icon name={icon} label={label} />
      </summary>
      <div className="menu-list">{children}</div>
    </details>
  )
}

type MenuItemProps = { icon?: IconName; tone?: 'plain' | 'alarm'; children: ReactNode }

export function MenuLink({ to, icon, tone = 'plain', children }: MenuItemProps & { to: string }) {
  return (
    <Link to={to} className={`menu-item menu-item-${tone}`}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </Link>
  )
}

/** Submits the form around it; `name` and `value` are the intent. With `onClick` it does that instead. */
export function MenuButton({
  icon,
  tone = 'plain',
  children,
  ...rest
}: MenuItemProps & { name?: string; value?: string; onClick?: MouseEventHandler<HTMLButtonElement> }) {
  return (
    <button type={rest.onClick ? 'button' : 'submit'} {...rest} className={`menu-item menu-item-${tone}`}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}
