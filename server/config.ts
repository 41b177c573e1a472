import { resolve } from 'node:path'
import * as z from 'zod'
import { missingInProduction, modeRules } from './config-rules.ts'

export const ROLES = ['web', 'realtime', 'projector', 'reactors', 'log'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type Config = {
  mode: 'local' | 'production'
  /** 0 takes a free port. */
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Origin without a slash at its end; null while the port is to be found. */
  publicUrl: string | null
  trustProxy: boolean
  /** Null: the embedded log. */
  eventstoreUrl: string | null
  /** Null: the embedded Postgres. */
  databaseUrl: string | null
  /** Null: the development mailbox. */
  smtpUrl: string | null
  /** As set by the environment; `openSecrets` fills the gaps in local mode. `masterKey` is base64 of 32 bytes. */
  givenSecrets: { masterKey: string | null; emailPepper: string | null; mediaSecret: string | null }
  allowEmbedded: boolean
  /** Of the embedded log; 0 takes a free port. */
  logPort: number
  roles: ReadonlySet<Role>
  /** False lifts the limits of api-contract §6.2, for benchmarks. */
  rateLimits: boolean
  passwordMin: number
  logLevel: (typeof LOG_LEVELS)[number]
  /** For the browser tests. */
  chromiumPath: string | null
}

/** Every variable that is wrong or missing, in one message for the person who starts the program. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const number = (least: number, most: number) => {
  const wants = `wants a whole number from ${least} to ${most}`
  return z.coerce.number({ error: wants }).int(wants).min(least, wants).max(most, wants)
}
const toggle = z
  .enum(['1', 'true', 'on', '0', 'false', 'off'], { error: 'wants 1 (yes) or 0 (no)' })
  .transform((word) => ['1', 'true', 'on'].includes(word))
const url = (protocol: RegExp, wants: string) =>
  z.string().refine((text) => URL.canParse(text) && protocol.test(new URL(text).protocol), `wants ${wants}`)
const origin = url(/^https?:$/, 'an address such as https://letsbuzz.example')
  .refine(
    (text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`,
    'wants no path, query or name',
  )
  .transform((text) => (URL.canParse(text) ? new URL(text).origin : text))
const secret = z.string().min(32, 'wants at least 32 random characters').nullable()
const masterKey = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    'wants 32 random bytes in base64, as openssl rand -base64 32 makes',
  )
const rolesText = `wants some of ${ROLES.join(',')}, separated by commas`
const roles = z
  .string()
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(ROLES, { error: rolesText })))
  .transform((list): ReadonlySet<Role> => new Set(list))

const variables = z.object({
  APP_MODE: z.enum(['local', 'production'], { error: 'wants local or production' }).default('local'),
  PORT: number(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: origin.nullable().default(null),
  TRUST_PROXY: toggle.default(false),
  EVENTSTORE_URL: url(/^esdb(\+discover)?:$/, 'an address such as esdb://127.0.0.1:2113?tls=false')
    .nullable()
    .default(null),
  DATABASE_URL: url(/^postgres(ql)?:$/, 'an address such as postgres://name:password@host/letsbuzz')
    .nullable()
    .default(null),
  SMTP_URL: url(/^smtps?:$/, 'an address such as smtps://name:password@host')
    .nullable()
    .default(null),
  MASTER_KEY: masterKey.nullable().default(null),
  EMAIL_PEPPER: secret.default(null),
  MEDIA_SECRET: secret.default(null),
  ALLOW_EMBEDDED: toggle.default(false),
  LOG_PORT: number(0, 65_535).default(0),
  ROLES: roles.default(new Set(ROLES)),
  RATE_LIMITS: z
    .enum(['on', 'off'], { error: 'wants on or off' })
    .default('on')
    .transform((word) => word === 'on'),
  // security.md §3.1: the default is the specification's.
  PASSWORD_MIN: number(6, 64).default(6),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `wants one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  CHROMIUM_PATH: z.string().nullable().default(null),
})

export const VARIABLES = Object.keys(variables.shape)
export type Variables = z.output<typeof variables>

// The values of these never appear in a message.
const HIDDEN = ['MASTER_KEY', 'EMAIL_PEPPER', 'MEDIA_SECRET', 'EVENTSTORE_URL', 'DATABASE_URL', 'SMTP_URL']

/** Reads the configuration; an empty variable counts as not set. Throws `ConfigError` with every problem at once. */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const parsed = variables.safeParse(given)
  const problems = parsed.success
    ? modeRules(parsed.data)
    : [...problemsOf(parsed.error, given), ...missingInProduction(given)]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return toConfig(parsed.data)
}

function problemsOf(error: z.ZodError, given: Record<string, string | undefined>): string[] {
  const first = new Map<string, string>()
  for (const { path, message } of error.issues) {
    const name = String(path[0])
    const got = HIDDEN.includes(name) ? '' : `, not "${given[name]}"`
    if (!first.has(name)) first.set(name, `${name} ${message}${got}.`)
  }
  return [...first.values()]
}

function toConfig(read: Variables): Config {
  const local = read.APP_MODE === 'local'
  return {
    mode: read.APP_MODE,
    port: read.PORT,
    host: read.HOST ?? (local ? '127.0.0.1' : '0.0.0.0'),
    dataDir: resolve(read.DATA_DIR),
    publicUrl: read.PUBLIC_URL ?? (read.PORT === 0 ? null : `http://localhost:${read.PORT}`),
    trustProxy: read.TRUST_PROXY,
    eventstoreUrl: read.EVENTSTORE_URL,
    databaseUrl: read.DATABASE_URL,
    smtpUrl: read.SMTP_URL,
    givenSecrets: { masterKey: read.MASTER_KEY, emailPepper: read.EMAIL_PEPPER, mediaSecret: read.MEDIA_SECRET },
    allowEmbedded: local || read.ALLOW_EMBEDDED,
    logPort: read.LOG_PORT,
    roles: read.ROLES,
    rateLimits: read.RATE_LIMITS,
    passwordMin: read.PASSWORD_MIN,
    logLevel: read.LOG_LEVEL,
    chromiumPath: read.CHROMIUM_PATH,
  }
}
