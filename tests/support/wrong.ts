/** What a type forbids, for a test that sends it all the same, or that holds but the part which is looked at. */
export const wrong = <T>(value: unknown): T => value as T
