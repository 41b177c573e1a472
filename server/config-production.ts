import type { Variables } from './config-variables.ts'
import { isLoopback } from './http/client.ts'

/** What production mode refuses though each variable is well by itself (security §3, lines and secrets). */
export function productionRules(read: Variables): string[] {
  if (read.APP_MODE !== 'production') return []
  return [...openLimits(read), ...openLines(read), ...weakSecrets(read)]
}

function openLimits(read: Variables): string[] {
  const problems: string[] = []
  if (!read.RATE_LIMITS) problems.push('RATE_LIMITS=off is for local mode alone.')
  // Members' cookies carry the __Host- prefix, which browsers take over https or from localhost only.
  const { protocol, hostname } = new URL(read.PUBLIC_URL ?? 'https://missing')
  if (protocol !== 'https:' && hostname !== 'localhost') problems.push('PUBLIC_URL wants https:// in production mode.')
  return problems
}

const TLS_MODES = new Set(['require', 'verify-ca', 'verify-full'])

/** Lines that speak in the clear, and how each speaks TLS. */
const LINES = {
  DATABASE_URL: {
    isSafe: (url: URL) => TLS_MODES.has(url.searchParams.get('sslmode') ?? ''),
    wants: 'sslmode=verify-full',
  },
  EVENTSTORE_URL: { isSafe: (url: URL) => url.searchParams.get('tls') !== 'false', wants: 'tls=true' },
  SMTP_URL: {
    isSafe: (url: URL) => url.protocol === 'smtps:' || url.searchParams.get('requireTLS') === 'true',
    wants: 'smtps:// or requireTLS=true',
  },
} as const

function openLines(read: Variables): string[] {
  return (Object.keys(LINES) as (keyof typeof LINES)[]).flatMap((name) => {
    const { isSafe, wants } = LINES[name]
    const text = read[name]
    if (text === null || isSafe(new URL(text)) || staysInside(new URL(text), read.PLAINTEXT_HOSTS)) return []
    return [`${name} wants TLS in production mode (${wants}), or its host among PLAINTEXT_HOSTS.`]
  })
}

/** A socket of this machine, or a host that PLAINTEXT_HOSTS names; of several hosts each one. */
function staysInside(url: URL, plaintext: ReadonlySet<string>): boolean {
  // `postgres:///name?host=/folder` names a socket.
  const host = url.hostname || (url.searchParams.get('host') ?? '')
  return host === '' || host.startsWith('/') || isLoopback(host) || plaintext.has(host)
}

const FEWEST_DIFFERENT = 8

/** Keys that nobody drew at random, and one secret used twice. */
function weakSecrets({ MASTER_KEY, EMAIL_PEPPER, MEDIA_SECRET }: Variables): string[] {
  const given = Object.entries({ MASTER_KEY, EMAIL_PEPPER, MEDIA_SECRET }).filter(([, text]) => text !== null)
  const problems = given.flatMap(([name, text]) => {
    const units = name === 'MASTER_KEY' ? Buffer.from(text ?? '', 'base64') : Buffer.from(text ?? '')
    return new Set(units).size < FEWEST_DIFFERENT ? [`${name} wants random characters, each its own draw.`] : []
  })
  if (new Set(given.map(([, text]) => text)).size < given.length)
    problems.push(
      'MASTER_KEY, EMAIL_PEPPER and MEDIA_SECRET want to be different: who learns one must not have another.',
    )
  return problems
}
