/** Whom the viewer may not see the name of, within a sentence. */
export const NAMELESS = 'this member'
/** Of a block between two who match (ruling R27). */
export const MATCH_STAYS_ENDED = 'Unblocking does not bring back the match.'
