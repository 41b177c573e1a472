/** What each key has used up, as processes that count together let one another know it, a moment later. */
export type Spending = {
  note(key: string, amount: number): void
  /** Calls back with what was used up elsewhere. */
  hear(spent: (key: string, amount: number) => void): void
}

/** Nobody else is there. */
export const spendingAlone: Spending = { note: () => undefined, hear: () => undefined }
