/** A round of the ring (ruling R23). */
export const DAYS = 7
const RADIUS = 44
/** Degrees between one day and the next. */
const GAP = 9

/** How many days of the round are done: the ring is full on the day that fills it, and begins again on the next. */
export function filledDays(days: number, isChecked: boolean): number {
  if (days === 0) return 0
  const inRound = days % DAYS
  return inRound === 0 && isChecked ? DAYS : inRound
}

const at = (degrees: number) => {
  const turn = ((degrees - 90) * Math.PI) / 180
  return `${(50 + RADIUS * Math.cos(turn)).toFixed(2)} ${(50 + RADIUS * Math.sin(turn)).toFixed(2)}`
}

/** The path of a day in a box of 100 by 100, clockwise from the top. */
export function arcOf(day: number): string {
  const span = 360 / DAYS
  const from = day * span + GAP / 2
  return `M${at(from)}A${RADIUS} ${RADIUS} 0 0 1 ${at(from + span - GAP)}`
}
