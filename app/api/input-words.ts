import type { z } from 'zod'
import { counted } from '../../domain/shared/counted.ts'

const KINDS: Readonly<Record<string, string>> = {
  string: 'Use text.',
  number: 'Use a number.',
  int: 'Use a whole number.',
  boolean: 'Use true or false.',
  array: 'Use a list.',
  tuple: 'Use a list.',
  object: 'Use an object.',
  record: 'Use an object.',
}
const LISTED = 12
const OTHER = 'This cannot be used.'

/** What is wrong with a field, in a sentence to read, where its schema has none of its own. */
export function sentenceFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing.' : (KINDS[issue.expected] ?? OTHER)
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum))
    case 'too_big':
      return `Use at most ${amount(issue.origin, Number(issue.maximum))}.`
    case 'invalid_value':
      return issue.input === undefined ? 'This is missing.' : oneOf(issue.values)
    case 'invalid_format':
      return 'This is not of the right form.'
    case 'unrecognized_keys':
      return 'Nothing else can be sent along.'
    default:
      return OTHER
  }
}

function atLeast(origin: string, minimum: number): string {
  if (minimum === 1 && origin !== 'number') return origin === 'string' ? 'This cannot be empty.' : 'Send at least one.'
  return `Use at least ${amount(origin, minimum)}.`
}

function amount(origin: string, count: number): string {
  if (origin === 'string') return counted(count, 'character')
  return origin === 'array' || origin === 'set' ? `${count} of them` : String(count)
}

function oneOf(values: readonly unknown[]): string {
  const named = values.map(String).filter((value) => value !== '')
  return named.length > LISTED ? 'This is not one of the choices.' : `Use one of these: ${named.join(', ')}.`
}
