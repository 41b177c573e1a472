/** What every service asks for the time; tests hand in their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
