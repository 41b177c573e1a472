import { classes } from '../classes.ts'
import type { IconName } from './icon-names.ts'
import spriteUrl from './icons.svg?url&no-inline'
import './icon.css'

export type IconProps = {
  name: IconName
  /** Read out by screen readers; without it the icon is decoration beside words. */
  label?: string
  size?: 's' | 'm' | 'l'
  className?: string
}

export function Icon({ name, label, size = 'm', className }: IconProps) {
  const drawing = <use href={`${spriteUrl}#${name}`} />
  const looks = classes('icon', `icon-${size}`, className)
  return label ? (
    <svg className={looks} role="img" aria-label={label}>
      {drawing}
    </svg>
  ) : (
    <svg className={looks} aria-hidden="true">
      {drawing}
    </svg>
  )
}
