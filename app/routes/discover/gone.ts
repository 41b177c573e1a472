/** Code of a refused decision on somebody who will not answer it any more. */
export const GONE = 'gone'

/** Only the card knows the name. */
export const goneWords = (firstName: string): string => `${firstName} is no longer here.`

/** A deal is without them: they left, or were decided on by another device. */
export const takenAwayWords = (firstName: string): string => `${firstName} is no longer among your cards.`
