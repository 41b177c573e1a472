/** What the button that lifts a block sends as its intent. */
export const UNBLOCK = 'unblock'
/** Where an unblock leads that names no page of ours. */
export const BLOCKED_PEOPLE = '/profile/privacy'
