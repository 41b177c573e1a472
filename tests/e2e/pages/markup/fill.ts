import { CUSTOM_INTEREST_MAX } from '../../../../domain/profile/limits.ts'
import { CORPUS } from './corpus.ts'

/** So many of the strings stand in members' fields; `MARKUP=600` tries all of them. */
export const STRINGS = Number(process.env.MARKUP ?? 2)

/** So many of the corpus, evenly from all of it. */
export function everyNth(count: number): readonly string[] {
  const step = Math.max(1, Math.floor(CORPUS.length / count))
  return CORPUS.filter((_, at) => at % step === 0)
}

export const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** As much of it as a field takes. */
export const short = (text: string, most: number) => [...text].slice(0, most).join('')

const from = (text: string) => {
  const at = CORPUS.indexOf(text)
  return [...CORPUS.slice(at), ...CORPUS.slice(0, at)]
}

/** So many of the strings, this one first, as fit into one value. */
export function packed(text: string, most: number): string {
  let value = short(text, most)
  for (const next of from(text).slice(1)) {
    if ([...value, ...next].length >= most) break
    value += ` ${next}`
  }
  return value
}

/** The string and those after it, one for each of so many chips, none of which is another one in other letters. */
export function chipsOf(text: string, count: number): string[] {
  const chips = new Map<string, string>()
  for (const next of from(text)) {
    const chip = short(next, CUSTOM_INTEREST_MAX).trim()
    if (!chips.has(chip.toLowerCase())) chips.set(chip.toLowerCase(), chip)
    if (chips.size === count) break
  }
  return [...chips.values()]
}
