import type { Config } from '../config.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** The level of the logger at which nothing is left out that the configuration asks for. */
export function loggerLevel(level: Config['logLevel']): (typeof LEVELS)[number] | 'silent' {
  if (level === 'silent') return 'silent'
  if (level === 'trace') return 'debug'
  return level === 'fatal' ? 'error' : (level as (typeof LEVELS)[number])
}
