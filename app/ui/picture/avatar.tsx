import { classes } from '../classes.ts'
import { sourcesOf } from './sources.ts'
import './avatar.css'

const TONES = 6
/** How wide each is shown, at most. */
const WIDTHS = { s: '32px', m: '44px', l: '64px', xl: '136px' } as const

function toneOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return (sum % TONES) + 1
}

export type AvatarProps = {
  name: string
  src?: string | null
  size?: keyof typeof WIDTHS
  online?: boolean
  /** False where the name stands beside it, so that it is not read out twice. */
  labelled?: boolean
}

/** A portrait, or the first letter of the name; the dot shows who is online. */
export function Avatar({ name, src, size = 'm', online, labelled = false }: AvatarProps) {
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?'
  const label = labelled ? { role: 'img', 'aria-label': online ? `${name}, online` : name } : {}
  return (
    <span
      className={classes('avatar', `avatar-${size}`, `avatar-tone-${toneOf(name)}`)}
      data-letter={src ? letter : undefined}
      {...label}
    >
      {src ? (
        <img alt="" width={128} height={128} loading="lazy" decoding="async" {...sourcesOf(src, WIDTHS[size], 320)} />
      ) : (
        <span aria-hidden="true">{letter}</span>
      )}
      {online ? (
        <span className="online-dot">{labelled ? null : <span className="visually-hidden">online</span>}</span>
      ) : null}
    </span>
  )
}
