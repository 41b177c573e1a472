const DAY_MS = 86_400_000

/** True for a date that exists on the calendar, in the form YYYY-MM-DD, year 1900 or later. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/**
 * Whole years on `today`, both by the UTC calendar (security T29). Someone born on 29 February turns a year older on
 * 1 March of common years. Negative for a date to come.
 */
export function ageOn(dob: string, today: Date): number {
  const [year, month, day] = dob.split('-').map(Number) as [number, number, number]
  const years = today.getUTCFullYear() - year
  const hadBirthday =
    today.getUTCMonth() + 1 > month || (today.getUTCMonth() + 1 === month && today.getUTCDate() >= day)
  return hadBirthday ? years : years - 1
}

export function addMs(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms)
}

/** Whole or part days until `until`, at least 1 while any time is left. */
export function daysLeft(from: Date, until: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - from.getTime()) / DAY_MS))
}

export const days = (n: number): number => n * DAY_MS
export const hours = (n: number): number => n * 3_600_000
export const minutes = (n: number): number => n * 60_000
