import { productionRules } from './config-production.ts'
import type { Variables } from './config-variables.ts'

const SECRETS = {
  MASTER_KEY: 'wants 32 random bytes in base64, as openssl rand -base64 32 makes',
  EMAIL_PEPPER: 'wants at least 32 random characters',
  MEDIA_SECRET: 'wants at least 32 random characters',
} as const

const OUTSIDE = {
  PUBLIC_URL: 'wants the address members type, such as https://letsbuzz.example',
  SMTP_URL: 'wants a mail server, such as smtps://name:password@host',
} as const

const EMBEDDED = {
  DATABASE_URL: 'wants a Postgres server; ALLOW_EMBEDDED=1 allows the embedded one',
  EVENTSTORE_URL: 'wants an EventStoreDB; ALLOW_EMBEDDED=1 allows the embedded log',
} as const

/** The rules between variables: what production needs, and what only local mode may do. */
export function modeRules(read: Variables): string[] {
  const given = Object.fromEntries(
    Object.entries(read).map(([name, value]) => [name, value === null ? undefined : String(value)]),
  )
  return [
    ...missingInProduction(given),
    ...productionRules(read),
    ...missingForRoles(read),
    ...halfGoogle(read),
    ...idleWorkers(read),
  ]
}

/** Names every variable that production mode cannot do without and that is not set. */
export function missingInProduction(given: Readonly<Record<string, string | undefined>>): string[] {
  if (given.APP_MODE !== 'production') return []
  const embedded = ['1', 'true', 'on'].includes(given.ALLOW_EMBEDDED ?? '')
  const wanted: Record<string, string> = { ...SECRETS, ...OUTSIDE, ...(embedded ? {} : EMBEDDED) }
  return Object.entries(wanted)
    .filter(([name]) => !given[name])
    .map(([name, wants]) => `${name} is missing: production mode ${wants}.`)
}

function halfGoogle(read: Variables): string[] {
  const half = (read.GOOGLE_CLIENT_ID === null) !== (read.GOOGLE_CLIENT_SECRET === null)
  return half ? ['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET want each other.'] : []
}

function idleWorkers({ ROLES, WEB_WORKERS }: Variables): string[] {
  if (WEB_WORKERS === 1 || ROLES.has('web') || ROLES.has('realtime')) return []
  return ['WEB_WORKERS wants web or realtime among ROLES: its processes serve pages and sockets.']
}

/** A process without the log has no embedded databases; production mode without embedded parts asks for both. */
function missingForRoles(read: Variables): string[] {
  if (read.ROLES.has('log') || (read.APP_MODE === 'production' && !read.ALLOW_EMBEDDED)) return []
  return (['DATABASE_URL', 'EVENTSTORE_URL'] as const)
    .filter((name) => read[name] === null)
    .map((name) => `${name} is missing: ROLES leaves out log, which brings the embedded parts.`)
}
