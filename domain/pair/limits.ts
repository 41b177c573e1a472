import { days } from '../shared/dates.ts'

/** A skipped member comes back after this long (ruling R11). */
export const SKIP_MS = days(112)
/** A pair that unmatched may buzz again after this long (api-contract C43). */
export const REBUZZ_MS = days(30)
/** Behind a buzz that was taken back the next one to the same person waits this long (api-contract §6.2, BUZZ). */
export const AGAIN_MS = 10_000
/** Behind this many that were taken back within a day it waits until the first of them is a day ago. */
export const TAKEN_BACK_A_DAY = 3
/** api-contract §6.0 */
export const MESSAGE_MAX = 4000
