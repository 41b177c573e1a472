/** What every service asks for the time; tests hand in their own. */
export type Clock = () => Date
