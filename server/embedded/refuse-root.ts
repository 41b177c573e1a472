import { type Config, ConfigError } from '../config.ts'

type Parts = Pick<Config, 'mode' | 'databaseUrl' | 'eventstoreUrl' | 'roles'>

/**
 * Throws `ConfigError` for embedded parts of a site that run as root: who finds a hole in one of them would have the whole
 * machine, and Postgres could not run as the same account.
 */
export function refuseRoot({ mode, databaseUrl, eventstoreUrl, roles }: Parts, uid = process.getuid?.()): void {
  if (mode !== 'production' || uid !== 0) return
  if (databaseUrl !== null && (eventstoreUrl !== null || !roles.has('log'))) return
  throw new ConfigError([
    'The embedded Postgres and log do not run as root in production mode: start as a user of its own, who owns DATA_DIR, or set DATABASE_URL and EVENTSTORE_URL.',
  ])
}
