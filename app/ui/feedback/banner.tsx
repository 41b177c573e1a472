import type { ReactNode } from 'react'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './banner.css'

const ICONS: Record<Tone, IconName> = {
  plain: 'info',
  leaf: 'circle-check',
  alarm: 'circle-alert',
  honey: 'sparkles',
}

type Tone = 'plain' | 'leaf' | 'alarm' | 'honey'

type BannerProps = {
  tone?: Tone
  title?: string
  /** Read out when it appears; for answers to what the member just did. */
  live?: boolean
  action?: ReactNode
  children?: ReactNode
}

/** The classes of a banner, for a box that must be more than one. */
export function bannerLook(tone: Tone): string {
  return `banner banner-${tone}`
}

/** A message that stays on the page. */
export function Banner({ tone = 'plain', title, live, action, children }: BannerProps) {
  const role = live ? (tone === 'alarm' ? 'alert' : 'status') : undefined
  return (
    <div className={bannerLook(tone)} role={role}>
      <Icon name={ICONS[tone]} />
      <div className="banner-words">
        {title ? <p className="banner-title">{title}</p> : null}
        {children}
      </div>
      {action}
    </div>
  )
}
