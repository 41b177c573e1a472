import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

const ICONS: Record<string, IconName> = {
  plain: 'info',
  leaf: 'circle-check',
  alarm: 'circle-alert',
  honey: 'sparkles',
  petal: 'heart',
}

type BannerProps = {
  tone?: 'plain' | 'leaf' | 'alarm' | 'honey' | 'petal'
  title?: string
  /** Read out when it appears; for answers to what the member just did. */
  live?: boolean
  action?: ReactNode
  children?: ReactNode
}

/** A message that stays on the page. */
export function Banner({ tone = 'plain', title, live, action, children }: BannerProps) {
  const role = live ? (tone === 'alarm' ? 'alert' : 'status') : undefined
  return (
    <div className={`banner banner-${tone}`} role={role}>
      <Icon name={ICONS[tone] ?? 'info'} />
      <div className="banner-words">
        {title ? <p className="banner-title">{title}</p> : null}
        {children}
      </div>
      {action}
    </div>
  )
}
