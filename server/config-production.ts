import { databaseLine, type Line, logLine, mailLine } from './config-lines.ts'
import type { Variables } from './config-variables.ts'
import { isLoopback } from './http/client.ts'

/** What production mode refuses though each variable is well by itself (security §3, lines and secrets). */
export function productionRules(read: Variables): string[] {
  if (read.APP_MODE !== 'production') return []
  return [...openLimits(read), ...openLines(read), ...weakSecrets(read)]
}

type Environment = Readonly<Record<string, string | undefined>>

function openLimits(read: Variables): string[] {
  const problems: string[] = []
  if (!read.RATE_LIMITS) problems.push('RATE_LIMITS=off is for local mode alone.')
  // Members' cookies carry the __Host- prefix, which browsers take over https or from localhost only.
  const { protocol, hostname } = new URL(read.PUBLIC_URL ?? 'https://missing')
  if (protocol !== 'https:' && hostname !== 'localhost') problems.push('PUBLIC_URL wants https:// in production mode.')
  return problems
}

/** Node reads this variable by itself, and then no line of the program checks whom it speaks to. */
export function uncheckedLines({ APP_MODE, NODE_TLS_REJECT_UNAUTHORIZED }: Environment): string[] {
  if (APP_MODE !== 'production' || NODE_TLS_REJECT_UNAUTHORIZED !== '0') return []
  return ['NODE_TLS_REJECT_UNAUTHORIZED=0 is for local mode alone: no certificate would be checked.']
}

/** Lines that may speak in the clear, how each is read, and how it speaks TLS. */
const LINES = {
  DATABASE_URL: { read: databaseLine, wants: 'sslmode=verify-full' },
  EVENTSTORE_URL: { read: logLine, wants: 'tls=true' },
  SMTP_URL: { read: mailLine, wants: 'smtps:// or requireTLS=true' },
} as const

/** Lines to other machines that would speak in the clear. */
export function openLines(read: Variables): string[] {
  return (Object.keys(LINES) as (keyof typeof LINES)[]).flatMap((name) => {
    const text = read[name]
    if (text === null) return []
    const line = understood(LINES[name].read, text)
    if (!line) return [`${name} wants an address that its client understands, and the files that it names.`]
    if (line.isTls || line.hosts.every((host) => staysInside(host, read.PLAINTEXT_HOSTS))) return []
    return [`${name} wants TLS in production mode (${LINES[name].wants}), or its host among PLAINTEXT_HOSTS.`]
  })
}

/** Null where the client throws: its message may hold the address, with the password in it. */
function understood(read: (text: string) => Line, text: string): Line | null {
  try {
    return read(text)
  } catch {
    return null
  }
}

/** A socket of this machine, or a host that PLAINTEXT_HOSTS names. */
const staysInside = (host: string, plaintext: ReadonlySet<string>) =>
  host.startsWith('/') || isLoopback(host) || plaintext.has(host)

const FEWEST_DIFFERENT = 8

/** Several texts are one secret: in base64 of both alphabets, in base 16, and with blanks around. */
function spelled(text: string): string {
  const bare = text.trim()
  if (/^([0-9a-f]{2})+$/i.test(bare)) return Buffer.from(bare, 'hex').toString('hex')
  return Buffer.from(bare, /^[\w+/-]+=*$/.test(bare) ? 'base64' : 'utf8').toString('hex')
}

/**
 * Secrets of very few different characters, such as zeros, and one that is used twice. Whether a secret was drawn at
 * random, no check can establish.
 */
function weakSecrets(read: Variables): string[] {
  const { MASTER_KEY, MASTER_KEY_OLD, MASTER_KEY_NEXT, EMAIL_PEPPER, MEDIA_SECRET } = read
  const sealing = Object.entries({ MASTER_KEY, MASTER_KEY_NEXT, EMAIL_PEPPER, MEDIA_SECRET })
  // The key before may be weak: that is a reason to rotate it.
  const given = [...sealing, ['MASTER_KEY_OLD', MASTER_KEY_OLD] as const].filter(([, text]) => text !== null)
  const problems = given.flatMap(([name, text]) => {
    if (name === 'MASTER_KEY_OLD') return []
    const units = name.startsWith('MASTER_KEY') ? Buffer.from(text ?? '', 'base64') : Buffer.from(text ?? '')
    return new Set(units).size < FEWEST_DIFFERENT ? [`${name} wants random characters, each its own draw.`] : []
  })
  if (new Set(given.map(([, text]) => spelled(text ?? ''))).size < given.length)
    problems.push(
      'MASTER_KEY, EMAIL_PEPPER and MEDIA_SECRET want to be different: who learns one must not have another.',
    )
  return problems
}
