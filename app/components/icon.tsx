import { classes } from '../lib/classes.ts'
import type { IconName } from './icon-names.ts'
import spriteUrl from './icons.svg?url&no-inline'

export type IconProps = {
  name: IconName
  /** Said by screen readers; without it the icon is decoration beside words. */
  label?: string
  size?: 's' | 'm' | 'l'
  className?: string
}

export function Icon({ name, label, size = 'm', className }: IconProps) {
  const said = label ? ({ role: 'img', 'aria-label': label } as const) : ({ 'aria-hidden': true } as const)
  return (
    <svg className={classes('icon', `icon-${size}`, className)} {...said}>
      <use href={`${spriteUrl}#${name}`} />
    </svg>
  )
}
