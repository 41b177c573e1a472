import { Link, type LinkProps } from '@remix-run/react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Spinner } from './feedback/spinner.tsx'
import { Icon } from './picture/icon.tsx'
import type { IconName } from './picture/icon-names.ts'
import './button.css'

export type ButtonLook = {
  /** `primary` is honey and there is one per view; `danger` deletes, blocks or reports. */
  tone?: 'primary' | 'secondary' | 'quiet' | 'petal' | 'danger'
  size?: 'm' | 'l'
  /** As wide as its column. */
  wide?: boolean
  icon?: IconName | undefined
}

type ButtonProps = ButtonLook &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** Its form is on its way: a spinner, and a second press does nothing. */
    busy?: boolean
  }

type Look = { [Key in 'tone' | 'size' | 'wide']: ButtonLook[Key] | undefined }

function look({ tone = 'secondary', size, wide }: Look, className?: string): string {
  return classes('button', `button-${tone}`, size === 'l' && 'button-l', wide && 'button-wide', className)
}

function Inside({ icon, busy, children }: { icon?: IconName | undefined; busy?: boolean; children: ReactNode }) {
  return (
    <>
      {busy ? <Spinner /> : icon ? <Icon name={icon} /> : null}
      <span>{children}</span>
    </>
  )
}

/** Submits its form unless another `type` is given. */
export function Button({ tone, size, wide, icon, busy = false, className, children, ...rest }: ButtonProps) {
  const looks = look({ tone, size, wide }, className)
  return (
    <button type="submit" {...rest} className={looks} aria-disabled={busy || undefined}>
      <Inside icon={icon} busy={busy}>
        {children}
      </Inside>
    </button>
  )
}

/** A link that looks like a button, for going somewhere. */
export function LinkButton({ tone, size, wide, icon, className, children, ...rest }: ButtonLook & LinkProps) {
  const looks = look({ tone, size, wide }, className)
  return (
    <Link {...rest} className={looks}>
      <Inside icon={icon}>{children}</Inside>
    </Link>
  )
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  icon: IconName
  /** What it does, for screen readers and as a tooltip. */
  label: string
  tone?: 'plain' | 'raised' | 'primary'
  size?: 'm' | 'l'
}

export function IconButton({ icon, label, tone = 'plain', size = 'm', className, ...rest }: IconButtonProps) {
  const looks = classes('icon-button', `icon-button-${tone}`, size === 'l' && 'icon-button-l', className)
  return (
    <button type="button" title={label} {...rest} className={looks} aria-label={label}>
      <Icon name={icon} size={size === 'l' ? 'l' : 'm'} />
    </button>
  )
}
