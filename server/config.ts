import { resolve } from 'node:path'
import type * as z from 'zod'
import type { GoogleClient } from '../services/google.ts'
import { type LogListenOptions, logListenOptionsOf, logListenRules } from './config-log.ts'
import { openLines, uncheckedLines } from './config-production.ts'
import { missingInProduction, modeRules } from './config-rules.ts'
import { type LOG_LEVELS, type ProcessRole, VARIABLES, type Variables, variables } from './config-variables.ts'
import type { LimitsAddress } from './workers/apart/address.ts'

export type { ProcessRole }

/** `masterKeyOld` and `masterKeyNext` are read and never sealed with, while the master key is rotated. */
export type GivenSecrets = Readonly<
  Record<'masterKey' | 'masterKeyOld' | 'masterKeyNext' | 'emailPepper' | 'mediaSecret', string | null>
>

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
  /** Null: no signing in with Google. */
  google: GoogleClient | null
  /** As set by the environment; `openSecrets` fills the gaps in local mode. Master keys are base64 of 32 bytes. */
  givenSecrets: GivenSecrets
  allowEmbedded: boolean
  /** Of the embedded log; 0 takes a free port. */
  logPort: number
  logListen: LogListenOptions
  roles: ReadonlySet<ProcessRole>
  /** Processes that serve pages and sockets behind the port; 1 is this one. */
  webWorkers: number
  /** Where one of several processes counts limits for all of them; null: each counts alone. */
  sharedLimits: LimitsAddress | null
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

// The values of these never appear in a message.
const HIDDEN = [
  'MASTER_KEY',
  'MASTER_KEY_OLD',
  'MASTER_KEY_NEXT',
  'EMAIL_PEPPER',
  'MEDIA_SECRET',
  'EVENTSTORE_URL',
  'DATABASE_URL',
  'SMTP_URL',
  'LOG_USERS',
  'GOOGLE_CLIENT_SECRET',
]

/** Reads the configuration; an empty variable counts as not set. Throws `ConfigError` with every problem at once. */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const parsed = variables.safeParse(given)
  const problems = parsed.success
    ? [...modeRules(parsed.data), ...logListenRules(parsed.data)]
    : [...problemsOf(parsed.error, given), ...missingInProduction(given)]
  problems.push(...uncheckedLines(env))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return toConfig(parsed.data)
}

const LOG_VARIABLES = /^(LOG_\w+|DATA_DIR|DATABASE_URL|EVENTSTORE_URL|PLAINTEXT_HOSTS)$/

/**
 * What concerns the embedded log alone, and the mode, which decides who may run it and by which lines: its machine need not
 * know how the product sends mail. Throws as `loadConfig`.
 */
export function loadLogConfig(env: Environment): Config {
  const given: Record<string, string> = env.APP_MODE ? { APP_MODE: env.APP_MODE } : {}
  const parsed = variables.pick({ APP_MODE: true }).safeParse(given)
  if (!parsed.success) throw new ConfigError(problemsOf(parsed.error, given))
  const { APP_MODE: mode } = parsed.data
  const own = Object.fromEntries(Object.entries(env).filter(([name, text]) => text && LOG_VARIABLES.test(name)))
  const config = { ...loadConfig(own), mode }
  const problems = mode === 'production' ? [...openLines(variables.parse(own)), ...uncheckedLines(env)] : []
  if (problems.length > 0) throw new ConfigError(problems)
  return config
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

function googleOf({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Variables): GoogleClient | null {
  return clientId !== null && clientSecret !== null ? { clientId, clientSecret } : null
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
    google: googleOf(read),
    givenSecrets: {
      masterKey: read.MASTER_KEY,
      masterKeyOld: read.MASTER_KEY_OLD,
      masterKeyNext: read.MASTER_KEY_NEXT,
      emailPepper: read.EMAIL_PEPPER,
      mediaSecret: read.MEDIA_SECRET,
    },
    allowEmbedded: local || read.ALLOW_EMBEDDED,
    logPort: read.LOG_PORT,
    logListen: logListenOptionsOf(read),
    roles: read.ROLES,
    webWorkers: read.WEB_WORKERS,
    sharedLimits: read.SHARED_LIMITS,
    rateLimits: read.RATE_LIMITS,
    passwordMin: read.PASSWORD_MIN,
    // A terminal that somebody works at stays calm; a site's log has what watchers look for (security O3).
    logLevel: read.LOG_LEVEL ?? (local ? 'warn' : 'info'),
    chromiumPath: read.CHROMIUM_PATH,
  }
}
