const MOST = 99

/** A count as it is shown, 99+ at most (spec 2 §2). */
export const capped = (count: number): string => (count > MOST ? `${MOST}+` : String(count))
