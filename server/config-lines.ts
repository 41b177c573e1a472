import SMTPPool from 'nodemailer/lib/smtp-pool'
import pg from 'pg'

/** Where an address leads, and whether TLS protects the way. */
export type Line = { readonly hosts: readonly string[]; readonly isTls: boolean }

const TLS_MODES = new Set(['require', 'verify-ca', 'verify-full'])

/** As `pg` reads it: the query's host goes before the address's, and of a repeated key the last counts. */
export function databaseLine(text: string): Line {
  const { host, ssl }: { host: string; ssl: unknown } = new pg.Client({ connectionString: text })
  const mode = new URL(text).searchParams.getAll('sslmode').at(-1) ?? ''
  return { hosts: [host], isTls: TLS_MODES.has(mode) && verifies(ssl) }
}

const verifies = (tls: unknown) =>
  tls === true ||
  (typeof tls === 'object' &&
    tls !== null &&
    !('rejectUnauthorized' in tls && !tls.rejectUnauthorized) &&
    // What takes the place of the check of the server's name.
    !('checkServerIdentity' in tls))

/**
 * As its client reads it: keys in any case, with `-`, `_` and spaces in them, of a repeated one the last; `#` means
 * nothing, and several hosts stand between commas. Every `tls` has to be true here.
 */
export function logLine(text: string): Line {
  const hosts = text
    .trim()
    .replace(/^[^:]+:\/\//, '')
    .replace(/^[^:]+:[^@]+@/, '')
    .replace(/\?.*$/s, '')
    .replace(/\/+$/, '')
  return {
    hosts: hosts.split(',').map((host) => host.trim().replace(/:\d*$/, '')),
    isTls: logOption(text, 'tls').every((value) => value === 'true'),
  }
}

/** Another node of a cluster may be behind what was acknowledged, which looks like a log that was set back. */
export const readsLeader = (text: string): boolean =>
  logOption(text, 'nodepreference').every((value) => value.toLowerCase() === 'leader')

const logOption = (text: string, name: string): string[] =>
  text
    .split(/[?&]/)
    .slice(1)
    .map((pair) => pair.split('='))
    .filter(([key = '']) => key.trim().toLowerCase().replace(/[_-]/g, '') === name)
    .map(([, value = '']) => value.trim())

/** What an address of a mail server asks for that would open the line, if the client obeyed it. */
const OPENING = new Set([
  'secure=false',
  'requiretls=false',
  'ignoretls=true',
  'opportunistictls=true',
  'tls.rejectunauthorized=false',
])

/** As `nodemailer` reads it; an address that asks for both, TLS and none, counts as open. */
export function mailLine(text: string): Line {
  const { host, secure, requireTLS, ignoreTLS, opportunisticTLS, tls, ...rest } = new SMTPPool({
    url: text,
    pool: true,
  }).options
  const pairs = [...new URL(text).searchParams].map((pair) =>
    pair
      .join('=')
      .replace(/\[(\w+)\]/, '.$1')
      .toLowerCase(),
  )
  const isOpen = ignoreTLS || opportunisticTLS || 'secured' in rest || pairs.some((one) => OPENING.has(one))
  const isTls = (secure === true || requireTLS === true) && !isOpen && verifies(tls ?? true)
  return { hosts: [host ?? 'localhost'], isTls }
}
