import type { Harm } from './harms.ts'

/**
 * A form of a page under one harm. `kept`: what was typed is on the page. `failed`: the drill could not measure it.
 * `excepted`: nothing of the product answers, so that the browser shows a page of its own.
 */
export type Outcome = {
  readonly form: string
  readonly harm: Harm
  readonly script: boolean
  readonly verdict: 'kept' | 'lost' | 'failed' | 'excepted'
  readonly fields: number
  /** Whose text is on no page any more. */
  readonly lost: readonly string[]
  /** What came of sending it once more. */
  readonly again: string
  /** A password is in the page. */
  readonly leaks: boolean
  /** What kept the drill from measuring it, at the first try of two as well. */
  readonly trouble: readonly string[]
}

export const nameOf = ({ form, harm, script }: Pick<Outcome, 'form' | 'harm' | 'script'>): string =>
  `${form} ${harm} ${script ? 'script' : 'plain'}`

/** Whether it got through at last, or was refused by its page in words of its own. */
export const isSent = ({ again }: Outcome): boolean => again === 'accepted' || again === 'refused'

/** What became of it, in a few words. */
export function wordsOf({ verdict, fields, lost, again, trouble }: Outcome): string {
  const before = trouble.length > 0 && verdict !== 'failed' ? `, at the second try: ${trouble.join('; ')}` : ''
  if (verdict === 'failed') return `FAILED ${trouble.join('; ')}`
  if (verdict === 'lost') return `LOST ${lost.join(', ')}${before}`
  return `${fields} kept, then ${again}${before}`
}
