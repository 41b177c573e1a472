import type { World } from './world.ts'

/** What another process needs in its environment to work on the stores of this world. */
export function environmentOf({ stores, secrets }: World): Record<string, string> {
  const { host, user, database } = stores.database
  return {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
    EVENTSTORE_URL: stores.log,
    MASTER_KEY: secrets.masterKey.toString('base64'),
    EMAIL_PEPPER: secrets.emailPepper,
    MEDIA_SECRET: secrets.mediaSecret,
  }
}
