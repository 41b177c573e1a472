import { Link, useLocation } from '@remix-run/react'
import { type MouseEventHandler, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from './picture/icon.tsx'
import type { IconName } from './picture/icon-names.ts'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'
import './menu.css'

type MenuProps = {
  label: string
  icon?: IconName
  tabIndex?: number | undefined
  /** As a function it knows whether the menu is open, which is so by script alone. */
  children: ReactNode | ((isOpen: boolean) => ReactNode)
}

/**
 * A `<details>` that opens a list: works without script; with it, Escape, a click elsewhere or a new page closes it, and it
 * opens upwards where there is no room below.
 */
export function Menu({ label, icon = 'ellipsis', tabIndex, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useClosing(details, isOpen)
  useBrowserLayoutEffect(() => {
    const list = details.current?.querySelector<HTMLElement>('.menu-list')
    details.current?.removeAttribute('data-up')
    if (isOpen && list) details.current?.toggleAttribute('data-up', isCutOff(list))
  }, [isOpen])
  // Opened before script ran.
  useEffect(() => setOpen(details.current?.open === true), [])
  return (
    <details className="menu" ref={details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="icon-button icon-button-plain" title={label} tabIndex={tabIndex}>
        <Icon name={icon} label={label} />
      </summary>
      <div className="menu-list">{typeof children === 'function' ? children(isOpen) : children}</div>
    </details>
  )
}

function useClosing(details: RefObject<HTMLDetailsElement>, isOpen: boolean): void {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => {
    details.current?.removeAttribute('open')
  }, [key])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: Event) => {
      const menu = details.current
      if (!menu) return
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        menu.querySelector('summary')?.focus()
      } else if (menu.contains(event.target as Node)) return
      menu.open = false
    }
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [details, isOpen])
}

/** It would end below what it scrolls in, and fits above. */
function isCutOff(list: HTMLElement): boolean {
  let around = list.parentElement
  while (around && !/auto|scroll/.test(getComputedStyle(around).overflowY)) around = around.parentElement
  const box = around?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight }
  const { bottom, height } = list.getBoundingClientRect()
  const start = list.offsetParent?.getBoundingClientRect().top ?? 0
  return bottom > Math.min(box.bottom, innerHeight) && start - height > Math.max(box.top, 0)
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
