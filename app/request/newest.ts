/** The end of a room's conversation, where one without script begins to read. */
export const NEWEST = 'newest'
