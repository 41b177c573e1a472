/** Of a block between two who match (ruling R27). */
export const MATCH_STAYS_ENDED = 'Unblocking does not bring back the match.'
