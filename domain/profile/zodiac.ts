export const ZODIAC = [
  'Capricorn',
  'Aquarius',
  'Pisces',
  'Aries',
  'Taurus',
  'Gemini',
  'Cancer',
  'Leo',
  'Virgo',
  'Libra',
  'Scorpio',
  'Sagittarius',
] as const
export type Zodiac = (typeof ZODIAC)[number]

/** The last day of each month, January first, that belongs to the sign of the same index. */
const LAST_DAYS = [19, 18, 20, 19, 20, 20, 22, 22, 22, 22, 21, 21] as const

/** The sign of a birthday in the form YYYY-MM-DD. */
export function zodiac(dob: string): Zodiac {
  const [, month, day] = dob.split('-').map(Number) as [number, number, number]
  return ZODIAC[day <= LAST_DAYS[month - 1]! ? month - 1 : month % 12]!
}
