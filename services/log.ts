import { type DestinationStream, pino } from 'pino'

/** What a line may contain; every other field is dropped, so that no personal data gets in (security T36). */
export type LogFields = {
  requestId?: string
  memberId?: string
  /** Of a security event: keyed hashes of the account or member and of the network, which only match their like. */
  who?: string
  where?: string
  /** The route's pattern, never the address that was asked for. */
  route?: string
  method?: string
  status?: number
  ms?: number
  /** What happened, such as `login-failed` or `limit-hit`. */
  kind?: string
  /** An event's type, a projection's or a reactor's name, a limit's class. */
  name?: string
  /** What the policy of a page kept it from: a host, or a word such as `inline`. */
  host?: string
  position?: string
  count?: number
  /** How many of the same are still to be done. */
  left?: number
  port?: number
  role?: string
  /** An error's class and code; its message may contain what a member typed. */
  errorName?: string
  errorCode?: string
  /** Where in our own code, without values. */
  errorAt?: string
}
type Level = 'debug' | 'info' | 'warn' | 'error'

/** `message` is one of our own fixed sentences; values go into fields. */
export type Logger = { readonly [level in Level]: (message: string, fields?: LogFields) => void }

const ALLOWED: Readonly<Record<keyof LogFields, 'string' | 'number'>> = {
  requestId: 'string',
  memberId: 'string',
  who: 'string',
  where: 'string',
  route: 'string',
  method: 'string',
  status: 'number',
  ms: 'number',
  kind: 'string',
  name: 'string',
  host: 'string',
  position: 'string',
  count: 'number',
  left: 'number',
  port: 'number',
  role: 'string',
  errorName: 'string',
  errorCode: 'string',
  errorAt: 'string',
}
/** Ids, names and patterns: nothing that a sentence, an address or a number of a phone could hide in. */
const PLAIN = /^[\w./:$*()\- ]{0,200}$/

export function createLogger(options: { level?: Level | 'silent'; destination?: DestinationStream } = {}): Logger {
  const { level = 'info', destination } = options
  const settings = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const lines = destination ? pino(settings, destination) : pino(settings)
  const write = (at: Level) => (message: string, fields?: LogFields) => lines[at](allowed(fields), message)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Its end has the frames; ahead of them is a message of whatever length. */
const FRAMES_CHARACTERS = 4_000

/** What may be logged of an error. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorName: typeof error }
  const { code } = error as { code?: unknown }
  const frame = /\n\s+at .*?([\w.-]+\.tsx?:\d+)/.exec((error.stack ?? '').slice(-FRAMES_CHARACTERS))?.[1]
  return {
    errorName: error.name,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    ...(frame ? { errorAt: frame } : {}),
  }
}

function allowed(fields: object = {}): Record<string, string | number> {
  const kept: Record<string, string | number> = {}
  for (const [name, kind] of Object.entries(ALLOWED)) {
    const value = (fields as Record<string, unknown>)[name]
    if (kind === 'number' && typeof value === 'number') kept[name] = value
    if (kind === 'string' && typeof value === 'string' && PLAIN.test(value)) kept[name] = value
  }
  return kept
}
