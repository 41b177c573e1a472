/** Characters of the reason for which an auditor opens sealed fields. */
export const REVEAL_REASON_MAX = 500
