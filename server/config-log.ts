import * as z from 'zod'
import type { LogServerOptions } from '../eventstore/embedded/server.ts'

/** How one gets into the embedded log. */
export type LogListenOptions = Pick<LogServerOptions, 'host' | 'tls' | 'users'>

const LOOPBACK = '127.0.0.1'
const usersText = 'wants name:password, and more of them separated by commas'

/**
 * The variables of where the embedded log listens and who may sign in. Each is read by itself; `logListenRules` checks
 * them together.
 */
export const logListenVariables = {
  LOG_HOST: z.string().default(LOOPBACK),
  LOG_TLS_CERT: z.string().nullable().default(null),
  LOG_TLS_KEY: z.string().nullable().default(null),
  LOG_TLS_CA: z.string().nullable().default(null),
  LOG_USERS: z
    .string()
    .regex(/^[^:,]+:[^,]+(,[^:,]+:[^,]+)*$/, usersText)
    .transform((text) => text.split(',').map(userFrom))
    .nullable()
    .default(null),
}

type Read = z.output<z.ZodObject<typeof logListenVariables>>

export function logListenRules(read: Read): string[] {
  const problems: string[] = []
  if ((read.LOG_TLS_CERT === null) !== (read.LOG_TLS_KEY === null))
    problems.push('LOG_TLS_CERT and LOG_TLS_KEY want each other.')
  const tls = read.LOG_TLS_CERT !== null
  // The official client sends no names over a plain connection.
  if (read.LOG_USERS && !tls) problems.push('LOG_USERS wants LOG_TLS_CERT and LOG_TLS_KEY.')
  if (!isLoopback(read.LOG_HOST) && !(tls && read.LOG_USERS))
    problems.push(
      `LOG_HOST ${read.LOG_HOST} can be reached by others: it wants LOG_TLS_CERT, LOG_TLS_KEY and LOG_USERS.`,
    )
  return problems
}

export function logListenOptionsOf({
  LOG_HOST,
  LOG_TLS_CERT,
  LOG_TLS_KEY,
  LOG_TLS_CA,
  LOG_USERS,
}: Read): LogListenOptions {
  const pair = LOG_TLS_CERT !== null && LOG_TLS_KEY !== null && { certFile: LOG_TLS_CERT, keyFile: LOG_TLS_KEY }
  return {
    host: LOG_HOST,
    ...(pair && { tls: { ...pair, ...(LOG_TLS_CA !== null && { caFile: LOG_TLS_CA }) } }),
    ...(LOG_USERS && { users: LOG_USERS }),
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

function userFrom(text: string): { name: string; password: string } {
  const colon = text.indexOf(':')
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
