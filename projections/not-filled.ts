/** An undefined column, and an undefined table. */
const NOT_FILLED: readonly unknown[] = ['42703', '42P01']

/**
 * Whether a query met the tables of the release before, or none: what operators read has those until its own are filled, which no
 * start waits for.
 */
export const isNotFilled = (error: unknown): boolean => NOT_FILLED.includes((error as { code?: unknown } | null)?.code)
