import * as z from 'zod'
import { readsLeader } from './config-lines.ts'
import { logListenVariables } from './config-log.ts'
import { limitsAddressOf } from './workers/apart/address.ts'

export const ROLES = ['web', 'realtime', 'projector', 'reactors', 'log'] as const
export type ProcessRole = (typeof ROLES)[number]

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

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
const hosts = z.string().transform(
  (text): ReadonlySet<string> =>
    new Set(
      text
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host),
    ),
)
const rolesText = `wants some of ${ROLES.join(',')}, separated by commas`
const roles = z
  .string()
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(ROLES, { error: rolesText })))
  .transform((list): ReadonlySet<ProcessRole> => new Set(list))

/** Each variable by itself; `config-rules.ts` checks them together. */
export const variables = z.object({
  APP_MODE: z.enum(['local', 'production'], { error: 'wants local or production' }).default('local'),
  PORT: number(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: origin.nullable().default(null),
  TRUST_PROXY: toggle.default(false),
  EVENTSTORE_URL: url(/^esdb(\+discover)?:$/, 'an address such as esdb://127.0.0.1:2113?tls=false')
    .refine(readsLeader, 'wants no other nodePreference than leader')
    .nullable()
    .default(null),
  DATABASE_URL: url(/^postgres(ql)?:$/, 'an address such as postgres://name:password@host/letsbuzz')
    .nullable()
    .default(null),
  SMTP_URL: url(/^smtps?:$/, 'an address such as smtps://name:password@host')
    .nullable()
    .default(null),
  PLAINTEXT_HOSTS: hosts.default(new Set()),
  GOOGLE_CLIENT_ID: z.string().nullable().default(null),
  GOOGLE_CLIENT_SECRET: z.string().nullable().default(null),
  MASTER_KEY: masterKey.nullable().default(null),
  MASTER_KEY_OLD: masterKey.nullable().default(null),
  MASTER_KEY_NEXT: masterKey.nullable().default(null),
  EMAIL_PEPPER: secret.default(null),
  MEDIA_SECRET: secret.default(null),
  ALLOW_EMBEDDED: toggle.default(false),
  LOG_PORT: number(0, 65_535).default(0),
  ...logListenVariables,
  ROLES: roles.default(new Set(ROLES)),
  WEB_WORKERS: number(1, 16).default(1),
  SHARED_LIMITS: z
    .string()
    .refine((text) => limitsAddressOf(text) !== null, 'wants host:port, such as 127.0.0.1:3900')
    .transform(limitsAddressOf)
    .nullable()
    .default(null),
  RATE_LIMITS: z
    .enum(['on', 'off'], { error: 'wants on or off' })
    .default('on')
    .transform((word) => word === 'on'),
  // security §3.1: the default is the specification's.
  PASSWORD_MIN: number(6, 64).default(6),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `wants one of ${LOG_LEVELS.join(', ')}` })
    .nullable()
    .default(null),
  CHROMIUM_PATH: z.string().nullable().default(null),
})

export const VARIABLES = Object.keys(variables.shape)
export type Variables = z.output<typeof variables>
