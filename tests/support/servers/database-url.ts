import type pg from 'pg'

/** `DATABASE_URL` of another process: the server's socket, and the password without which nobody gets in. */
export function databaseUrl({ host = '', user = '', password, database = '' }: pg.ClientConfig): string {
  const who = `${user}:${encodeURIComponent(String(password ?? ''))}`
  return `postgres://${who}@localhost/${database}?host=${encodeURIComponent(host)}`
}
