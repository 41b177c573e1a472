/** One scavenge at a time, and none while the log moves. */
export const SCAVENGE_LOCK = 'log-scavenge'
