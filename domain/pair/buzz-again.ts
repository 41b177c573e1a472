import { days } from '../shared/dates.ts'
import type { MemberId } from '../shared/ids.ts'
import { AGAIN_MS, TAKEN_BACK_A_DAY } from './limits.ts'

/*
 * Each buzz notifies its receiver at once, and one that is taken back makes room for another: those have a limit by pair
 * (api-contract §6.2, BUZZ; security T33). The pair's stream has one order of them all, however many are sent together.
 */

/** When each of the two last took a buzz to the other back, oldest first: as many times as the limit of a day looks at. */
export type TakenBack = Readonly<Record<string, readonly Date[]>>

export function noteTakenBack(taken: TakenBack, member: MemberId, at: Date): TakenBack {
  return { ...taken, [member]: [...(taken[member] ?? []), at].slice(-TAKEN_BACK_A_DAY) }
}

/**
 * How long the member waits from then until they may buzz the other again; 0 where they need not, and never longer than the rule
 * has it. A time that lies ahead by more than clocks differ is of one that ran ahead: it counts for nothing.
 */
export function waitMs(taken: TakenBack, member: MemberId, at: Date): number {
  const sinceAll = (taken[member] ?? []).map((time) => at.getTime() - time.getTime())
  const since = sinceAll.filter((ms) => ms >= -AGAIN_MS)
  const behindLast = AGAIN_MS - Math.max(0, Math.min(...since))
  const behindDay = since.length < TAKEN_BACK_A_DAY ? 0 : days(1) - Math.max(0, ...since)
  return Math.max(0, behindLast, behindDay)
}
