import { MAX_AGE, MIN_AGE } from './limits.ts'

/** How far away people are looked for, where nobody chose. */
export const OFFERED_MILES = 50
const YEARS_APART = 8

/** From and to, for somebody of that age who did not choose. */
export function offeredAges(age: number): readonly [from: number, to: number] {
  return [Math.max(MIN_AGE, age - YEARS_APART), Math.min(MAX_AGE, age + YEARS_APART)]
}
