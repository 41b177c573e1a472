/** Code of a refused decision on somebody who will not answer it any more. */
export const GONE = 'gone'

/** Only the card knows the name. */
export const goneWords = (firstName: string): string => `${firstName} is no longer here.`
