import type { DestinationStream } from 'pino'

/** Of pino; from the first on a line begins with how bad it is. */
const WARN = 40
const ERROR = 50

const wordOf = (level: unknown) => {
  if (typeof level !== 'number' || level < WARN) return ''
  return level < ERROR ? 'Warning: ' : 'Error: '
}

/** A line of the log as a person reads it: its sentence, and its fields behind that. */
export function plainLine(line: string): string {
  const { level, time: _time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const named = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return `${wordOf(level)}${msg}${named.length > 0 ? ` (${named.join(', ')})` : ''}\n`
}

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Where a logger writes to: a terminal gets sentences; whatever else collects lines gets them as JSON, by the logger itself. */
export const linesTo = (output: Output): { destination?: DestinationStream } =>
  output.isTTY ? { destination: { write: (line) => void output.write(plainLine(line)) } } : {}
