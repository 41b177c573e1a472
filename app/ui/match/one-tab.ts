/** Who works in another window hears of it there first. */
const UNFOCUSED_MS = 300

/**
 * Whether this tab is the one that shows the match with `other`: of all tabs of a browser the first that asks, for as long as
 * it is open. One that nobody looks at asks when somebody does, by when it is `late` for another tab's.
 */
export async function claimMatch(other: string): Promise<'here' | 'elsewhere' | 'late'> {
  const isLate = document.visibilityState !== 'visible'
  await lookedAt()
  if (await isFirst(other)) return 'here'
  return isLate ? 'late' : 'elsewhere'
}

async function isFirst(other: string): Promise<boolean> {
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, UNFOCUSED_MS))
  // Absent outside of secure contexts.
  const { locks } = navigator as Partial<Navigator>
  if (!locks) return true
  return new Promise((resolve) => {
    const keep = (lock: Lock | null) => {
      resolve(lock !== null)
      return lock && new Promise<never>(() => undefined)
    }
    locks.request(`match-${other}`, { ifAvailable: true }, keep).catch(() => resolve(true))
  })
}

function lookedAt(): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
}
