const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 'Just now', '5m ago', '3h ago', '2d ago' (spec 2 §9). Times in the future count as now. */
export function relativeTime(at: Date | string, now: Date | string): string {
  const passed = new Date(now).getTime() - new Date(at).getTime()
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h ago`
  return `${Math.floor(passed / DAY)}d ago`
}
