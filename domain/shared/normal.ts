/** The Stream-Safe Text Format of Unicode's annex 15: no text of any language has more marks on a letter. */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * NFC, with at most thirty marks on a letter: putting them in order takes as long as the square of their number, and a text
 * that anybody sends is normalised before its length is looked at.
 */
export const normal = (text: string): string => text.replace(TOO_MANY_MARKS, '$1').normalize('NFC')
