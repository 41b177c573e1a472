import { arcOf, DAYS, filledDays } from './streak-days.ts'
import './streak-ring.css'

type StreakRingProps = {
  /** Days in a row. */
  days: number
  /** Today is one of them. */
  isChecked: boolean
}

/** The streak as seven days in a ring (ruling R23): those of this round, the one that today would be, and those to come. */
export function StreakRing({ days, isChecked }: StreakRingProps) {
  const filled = filledDays(days, isChecked)
  const dayLook = (day: number) => {
    if (day < filled) return 'streak-done'
    return day === filled && !isChecked ? 'streak-next' : 'streak-open'
  }
  const count = `${days} ${days === 1 ? 'day' : 'days'}`
  const today = isChecked ? 'Checked in today.' : 'Not checked in yet today.'
  return (
    <div className="streak" role="img" aria-label={`Streak of ${count}. ${filled} of ${DAYS} in this round. ${today}`}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        {Array.from({ length: DAYS }, (_, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place in the ring
          <path key={day} className={dayLook(day)} d={arcOf(day)} />
        ))}
      </svg>
      <span className="streak-count tabular" aria-hidden="true">
        {days}
      </span>
      <span className="streak-unit" aria-hidden="true">
        {days === 1 ? 'day' : 'days'}
      </span>
    </div>
  )
}
