import { days } from '../shared/dates.ts'

/** A skipped member comes back after this long (ruling R11). */
export const SKIP_MS = days(112)
/** A pair that unmatched may buzz again after this long (api-contract C43). */
export const REBUZZ_MS = days(30)
/** api-contract §6.0 */
export const MESSAGE_MAX = 4000
